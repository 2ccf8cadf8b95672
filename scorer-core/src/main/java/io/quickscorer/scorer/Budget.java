// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.function.BooleanSupplier;

/**
 * A time limit for background work, and a way to stop it early. The work checks the budget between
 * small steps. Safe for use by several threads.
 */
public final class Budget {
  private final long end;
  private final BooleanSupplier cancelled;

  private Budget(long end, BooleanSupplier cancelled) {
    this.end = end;
    this.cancelled = cancelled;
  }

  /**
   * Returns a budget that starts now.
   *
   * @param nanos the wall-clock time in ns after which no further step of the work may begin
   * @param cancelled returns whether the work is no longer wanted; called often, so it must be
   *     cheap
   */
  public static Budget of(long nanos, BooleanSupplier cancelled) {
    return new Budget(System.nanoTime() + nanos, cancelled);
  }

  /**
   * Returns a budget that starts now and cannot be cancelled.
   *
   * @param nanos the wall-clock time in ns after which no further step of the work may begin
   */
  public static Budget of(long nanos) {
    return of(nanos, () -> false);
  }

  /** Returns the remaining wall-clock time in ns, 0 or more. */
  public long remainingNanos() {
    return Math.max(0, end - System.nanoTime());
  }

  /** Returns whether the work must stop: the time is used up, or the work is cancelled. */
  public boolean isOver() {
    return remainingNanos() == 0 || cancelled.getAsBoolean();
  }
}

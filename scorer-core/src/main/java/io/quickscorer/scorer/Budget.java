// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.function.BooleanSupplier;

/**
 * The time that background work may take, and a way to stop it early. Checked between small pieces
 * of the work. Safe for use by several threads.
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
   * @param nanos the wall-clock time in ns, after which no further piece of work may begin
   * @param cancelled returns whether the work is no longer wanted; called often, so it must be
   *     cheap
   */
  public static Budget of(long nanos, BooleanSupplier cancelled) {
    return new Budget(System.nanoTime() + nanos, cancelled);
  }

  /**
   * Returns a budget that starts now and cannot be cancelled.
   *
   * @param nanos the wall-clock time in ns, after which no further piece of work may begin
   */
  public static Budget of(long nanos) {
    return of(nanos, () -> false);
  }

  /** Returns the time left in ns, 0 or more. */
  public long remainingNanos() {
    return Math.max(0, end - System.nanoTime());
  }

  /** Returns whether no further piece of the work may begin. */
  public boolean isOver() {
    return remainingNanos() == 0 || cancelled.getAsBoolean();
  }
}

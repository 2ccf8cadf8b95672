// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.function.BooleanSupplier;

/**
 * Time that work in the background may take, and a way to stop it early. Asked between small pieces
 * of the work; safe for use by several threads.
 */
public final class Budget {
  private final long end;
  private final BooleanSupplier cancelled;

  private Budget(long end, BooleanSupplier cancelled) {
    this.end = end;
    this.cancelled = cancelled;
  }

  /**
   * A budget that runs from now on.
   *
   * @param nanos nanoseconds of wall-clock time; nothing is begun once they are over
   * @param cancelled whether the work is no longer wanted; asked often, so it must be cheap
   */
  public static Budget of(long nanos, BooleanSupplier cancelled) {
    return new Budget(System.nanoTime() + nanos, cancelled);
  }

  /** Returns a budget that cannot be stopped. */
  public static Budget of(long nanos) {
    return of(nanos, () -> false);
  }

  /** A part of what is left, cancelled with the whole. */
  public Budget part(double share) {
    return of((long) (remainingNanos() * share), cancelled);
  }

  /** Nanoseconds left, 0 or more. */
  public long remainingNanos() {
    return Math.max(0, end - System.nanoTime());
  }

  public boolean isCancelled() {
    return cancelled.getAsBoolean();
  }

  /** Whether nothing more may be begun. */
  public boolean isOver() {
    return remainingNanos() == 0 || isCancelled();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/**
 * Reports how far a compilation is, and lets the caller stop it. Engines report about once per
 * tree, on the compiling thread.
 */
public final class CompileProgress {
  /** Reports to no listener and is never cancelled. */
  public static final CompileProgress NONE = of(share -> {}, () -> false);

  private final DoubleConsumer listener;
  private final BooleanSupplier cancelled;
  private final double start;
  private final double length;

  private CompileProgress(
      DoubleConsumer listener, BooleanSupplier cancelled, double start, double length) {
    this.listener = listener;
    this.cancelled = cancelled;
    this.start = start;
    this.length = length;
  }

  /**
   * Returns the progress of a whole compilation.
   *
   * @param listener receives the share that is done, 0 to 1, never less than before, and 1 at the
   *     end; called often, so it must be cheap
   * @param cancelled whether the result is no longer wanted; called as often
   */
  public static CompileProgress of(DoubleConsumer listener, BooleanSupplier cancelled) {
    return new CompileProgress(listener, cancelled, 0, 1);
  }

  /**
   * Returns the progress of the piece of work between two shares of this one; its own shares run
   * from 0 to 1.
   */
  public CompileProgress part(double from, double to) {
    return new CompileProgress(listener, cancelled, start + from * length, (to - from) * length);
  }

  /**
   * Reports that {@code done} of {@code all} equal steps are done.
   *
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public void report(long done, long all) {
    check();
    listener.accept(start + length * done / all);
  }

  /**
   * Checks within a long step for cancellation.
   *
   * @throws CancellationException as {@link #report} does
   */
  public void check() {
    if (Thread.interrupted() || cancelled.getAsBoolean()) {
      throw new CancellationException("compilation stopped");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/**
 * Reports the completed fraction of a compilation, from 0 to 1, about once per tree. A caller can
 * stop the compilation.
 */
public final class CompileProgress {
  /** A progress that reports nothing and is never cancelled. */
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
   * @param listener receives the completed fraction, which never decreases and is 1 at the end;
   *     called often, so it must be cheap
   * @param cancelled returns whether the result is no longer wanted; also called often
   */
  public static CompileProgress of(DoubleConsumer listener, BooleanSupplier cancelled) {
    return new CompileProgress(listener, cancelled, 0, 1);
  }

  /**
   * Returns the progress of a part of the compilation. The fractions 0 and 1 of the part count as
   * {@code from} and {@code to} in this progress.
   */
  public CompileProgress part(double from, double to) {
    return new CompileProgress(listener, cancelled, start + from * length, (to - from) * length);
  }

  /**
   * Reports that {@code done} of {@code all} equally long steps are complete.
   *
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public void report(long done, long all) {
    check();
    listener.accept(start + length * done / all);
  }

  /**
   * Checks within a long step whether the compilation was cancelled.
   *
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public void check() {
    if (Thread.interrupted() || cancelled.getAsBoolean()) {
      throw new CancellationException("the compilation of the model was cancelled or interrupted");
    }
  }
}

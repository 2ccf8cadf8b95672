// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/**
 * Reports which share of a compilation is done, and lets the caller stop the compilation. Engines
 * report about once per tree, on the compiling thread.
 */
public final class CompileProgress {
  /** A progress that is not reported, and whose compilation is never cancelled. */
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
   * Returns an object that reports the progress of a whole compilation.
   *
   * @param listener receives the share that is done: it never decreases, and is 1 at the end;
   *     called often, so it must be cheap
   * @param cancelled returns whether the result is no longer wanted; also called often
   */
  public static CompileProgress of(DoubleConsumer listener, BooleanSupplier cancelled) {
    return new CompileProgress(listener, cancelled, 0, 1);
  }

  /**
   * Returns the progress of a part of this work. When the part reports a share from 0 to 1, this
   * progress reports a share between {@code from} and {@code to}.
   */
  public CompileProgress part(double from, double to) {
    return new CompileProgress(listener, cancelled, start + from * length, (to - from) * length);
  }

  /**
   * Reports that {@code done} of {@code all} steps, which take equal time, are done.
   *
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public void report(long done, long all) {
    check();
    listener.accept(start + length * done / all);
  }

  /**
   * Checks whether the compilation was cancelled. Called within a step that takes long.
   *
   * @throws CancellationException as {@link #report} does
   */
  public void check() {
    if (Thread.interrupted() || cancelled.getAsBoolean()) {
      throw new CancellationException("compilation stopped");
    }
  }
}

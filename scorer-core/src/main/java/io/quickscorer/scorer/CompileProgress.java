// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/**
 * How far a compilation is, for whoever waits for it, and the way to stop it. Engines report about
 * once per tree, on the compiling thread.
 */
public final class CompileProgress {
  /** Nobody waits. */
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
   * Progress of a whole compilation.
   *
   * @param listener receives the share that is done, 0 to 1, never less than before, and 1 at the
   *     end; called often, so it must be cheap
   * @param cancelled whether the result is no longer wanted; asked as often
   */
  public static CompileProgress of(DoubleConsumer listener, BooleanSupplier cancelled) {
    return new CompileProgress(listener, cancelled, 0, 1);
  }

  /** The piece of this work between two of its shares, as a work of its own. */
  public CompileProgress part(double from, double to) {
    return new CompileProgress(listener, cancelled, start + from * length, (to - from) * length);
  }

  /**
   * Says that {@code done} of {@code all} equal steps are done.
   *
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public void report(long done, long all) {
    check();
    listener.accept(start + length * done / all);
  }

  /**
   * Asks within a long step whether to go on.
   *
   * @throws CancellationException as {@link #report} does
   */
  public void check() {
    if (Thread.interrupted() || cancelled.getAsBoolean()) {
      throw new CancellationException("compilation stopped");
    }
  }
}

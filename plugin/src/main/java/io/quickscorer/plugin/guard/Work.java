// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.tasks.TaskCancelledException;

/**
 * A piece of work over data from outside, on one thread without a break. {@link Guard} begins one
 * wherever the server or a pool calls the plugin, and hands on the request's cancellation to the
 * pieces that follow. Its loops count their steps here: {@code WorkRulesTests} finds those that do
 * not.
 */
public final class Work implements Releasable {
  /** Steps of a piece; a step is an item, a token, a compared character: some seconds. */
  private static final long MAX_STEPS = 1L << 28;

  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Every so many steps the clock is read. */
  static final int STEPS_PER_LOOK = 16;

  private static final BooleanSupplier NEVER = () -> false;
  private static final ThreadLocal<@Nullable Work> CURRENT = new ThreadLocal<>();

  private final @Nullable Work outer;
  private final BooleanSupplier cancelled;
  private final boolean ofRequest;
  private final long start = System.nanoTime();
  private long steps;

  private Work(@Nullable Work outer, BooleanSupplier cancelled, boolean ofRequest) {
    this.outer = outer;
    this.cancelled = cancelled;
    this.ofRequest = ofRequest;
  }

  /**
   * Begins a piece on this thread, until it is closed.
   *
   * @param cancelled whether its result is no longer wanted
   */
  static Work begin(BooleanSupplier cancelled) {
    return begin(cancelled, true);
  }

  private static Work begin(BooleanSupplier cancelled, boolean ofRequest) {
    Work work = new Work(CURRENT.get(), cancelled, ofRequest);
    CURRENT.set(work);
    return work;
  }

  /**
   * Begins what the node does for itself, whoever happens to be the first to ask for it: as long as
   * it takes.
   */
  public static Work ofNode() {
    return begin(NEVER, false);
  }

  /** The piece that this thread does, or one that ends with what is called now. */
  static Releasable enter() {
    return CURRENT.get() == null ? begin(NEVER) : () -> {};
  }

  /** Whether the result of the piece that this thread does is no longer wanted. */
  public static BooleanSupplier cancellation() {
    Work work = CURRENT.get();
    return work == null ? NEVER : work.cancelled;
  }

  /**
   * Takes a step of the piece that this thread does.
   *
   * @throws TaskCancelledException if the request was cancelled, or its client is gone
   * @throws IllegalArgumentException (400) if the piece takes too many steps, or too long
   */
  public static void step() {
    Work work = CURRENT.get();
    if (work != null) {
      work.take();
    }
  }

  private void take() {
    if (++steps % STEPS_PER_LOOK == 0) {
      if (cancelled.getAsBoolean()) {
        throw new TaskCancelledException("the request was cancelled");
      }
      if (steps > MAX_STEPS) {
        throw new IllegalArgumentException("the request takes too many steps: " + steps);
      }
      if (ofRequest && System.nanoTime() - start > MAX_NANOS) {
        throw new IllegalArgumentException("a part of the request takes longer than 5 minutes");
      }
    }
  }

  @Override
  public void close() {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.tasks.TaskCancelledException;

/**
 * A piece of work over data from outside, on one thread without interruption. {@link Guard} begins
 * one whenever the server or a pool calls the plugin, and passes the request's cancellation on to
 * the following pieces. Its loops count their steps here: {@code WorkRulesTests} finds loops that
 * do not.
 */
public final class Work implements Releasable {
  /** Steps of a piece; a step is an item, a token, a compared character: some seconds. */
  private static final long MAX_STEPS = 1L << 28;

  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Number of steps after which the clock is read. */
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
   * Begins a piece of work on this thread, until it is closed.
   *
   * @param cancelled whether the result is no longer needed
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
   * Begins work of the node itself, which no request's end cancels, even if a request triggers it.
   */
  public static Work ofNode() {
    return begin(NEVER, false);
  }

  /** Begins a piece of work that ends with the present call, or continues this thread's piece. */
  static Releasable enter() {
    return CURRENT.get() == null ? begin(NEVER) : () -> {};
  }

  /** Returns a check for whether the result of this thread's piece of work is no longer wanted. */
  public static BooleanSupplier cancellation() {
    Work work = CURRENT.get();
    return work == null ? NEVER : work.cancelled;
  }

  /**
   * Counts a step of this thread's piece of work.
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

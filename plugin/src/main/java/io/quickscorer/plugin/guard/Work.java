// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.tasks.TaskCancelledException;

/**
 * A piece of work that one thread does without a break, with limits on steps and time. {@link
 * Guard} starts a piece when the server or a pool calls the plugin. A piece fails at its next step
 * if its request is cancelled. Loops over users' data must count their steps with {@link #step};
 * {@code WorkRulesTests} finds loops that do not.
 */
public final class Work implements Releasable {
  /** Maximum number of steps, such as tokens or compared characters; they take some seconds. */
  private static final long MAX_STEPS = 1L << 28;

  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Number of steps between two checks of the clock and of the cancellation. */
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

  /** Starts work on this thread until the result is closed; its steps fail if it is cancelled. */
  static Work begin(BooleanSupplier cancelled) {
    return begin(cancelled, true);
  }

  private static Work begin(BooleanSupplier cancelled, boolean ofRequest) {
    Work work = new Work(CURRENT.get(), cancelled, ofRequest);
    CURRENT.set(work);
    return work;
  }

  /** Starts work of the node itself, which does not stop if a request is cancelled. */
  public static Work ofNode() {
    return begin(NEVER, false);
  }

  /** Continues this thread's work; if there is none, starts work until the result is closed. */
  static Releasable enter() {
    return CURRENT.get() == null ? begin(NEVER) : () -> {};
  }

  /** Returns a function that tells whether the request of this thread's work was cancelled. */
  public static BooleanSupplier cancellation() {
    Work work = CURRENT.get();
    return work == null ? NEVER : work.cancelled;
  }

  /**
   * Counts a step of this thread's piece of work.
   *
   * @throws TaskCancelledException if the request was cancelled, or its client has disconnected
   * @throws IllegalArgumentException (400) if the piece takes too many steps or too long
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
        throw new IllegalArgumentException(
            "the request needs more than " + MAX_STEPS + " steps; make it smaller");
      }
      if (ofRequest && System.nanoTime() - start > MAX_NANOS) {
        throw new IllegalArgumentException(
            "one step of the request took longer than 5 minutes; make the request smaller");
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.tasks.TaskCancelledException;

/**
 * Limits the steps and the time of one task on a thread. A task is one call of the plugin's code by
 * the server or a thread pool. If the task's request is cancelled, its next step fails. Loops over
 * users' data must call {@link #step}; {@code StepRulesTests} finds loops that do not.
 */
public final class StepLimit implements Releasable {
  /** Maximum number of steps, such as compared characters. So many steps take some seconds. */
  static final long MAX_STEPS = 1L << 28;

  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Number of steps between two checks of the elapsed time and of cancellation. */
  static final int STEPS_PER_LOOK = 16;

  private static final BooleanSupplier NEVER = () -> false;
  private static final ThreadLocal<@Nullable StepLimit> CURRENT = new ThreadLocal<>();

  private final @Nullable StepLimit outer;
  private final BooleanSupplier cancelled;
  private final boolean ofRequest;
  private final long start = System.nanoTime();
  long steps;

  private StepLimit(@Nullable StepLimit outer, BooleanSupplier cancelled, boolean ofRequest) {
    this.outer = outer;
    this.cancelled = cancelled;
    this.ofRequest = ofRequest;
  }

  /**
   * Starts to limit the work of this thread, until the returned object is closed.
   *
   * @param cancelled returns whether the request was cancelled; then the next step fails
   */
  static StepLimit begin(BooleanSupplier cancelled) {
    return begin(cancelled, true);
  }

  private static StepLimit begin(BooleanSupplier cancelled, boolean ofRequest) {
    StepLimit limit = new StepLimit(CURRENT.get(), cancelled, ofRequest);
    CURRENT.set(limit);
    return limit;
  }

  /** Starts to limit work of the node itself, which cannot be cancelled. */
  public static StepLimit ofNode() {
    return begin(NEVER, false);
  }

  /**
   * Limits the steps of this thread until the returned object is closed. Does nothing if they are
   * limited already.
   */
  static Releasable enter() {
    return CURRENT.get() == null ? begin(NEVER) : () -> {};
  }

  /** Returns a function that tells whether the request of this thread's work was cancelled. */
  public static BooleanSupplier cancellation() {
    StepLimit limit = CURRENT.get();
    return limit == null ? NEVER : limit.cancelled;
  }

  /**
   * Counts one step, such as a token, of the work of this thread.
   *
   * @throws TaskCancelledException if the request was cancelled, or its client has disconnected
   * @throws IllegalArgumentException (400) if the work has too many steps or takes too long
   */
  public static void step() {
    StepLimit limit = CURRENT.get();
    if (limit != null) {
      limit.take();
    }
  }

  private void take() {
    if (++steps % STEPS_PER_LOOK == 0) {
      if (cancelled.getAsBoolean()) {
        throw new TaskCancelledException("the request was cancelled");
      }
      if (steps > MAX_STEPS) {
        throw new IllegalArgumentException(
            "processing the request needs more than "
                + MAX_STEPS
                + " steps; make the request smaller");
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

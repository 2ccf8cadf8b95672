// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.tasks.TaskCancelledException;

/**
 * The code that one thread runs in one call of the plugin, with limits on its steps and its time.
 * {@link Guard} starts it when the server or a thread pool calls the plugin. It fails at its next
 * step if its request is cancelled. Loops over users' data must count their steps with {@link
 * #step}; {@code WorkRulesTests} finds loops that do not.
 */
public final class Work implements Releasable {
  /**
   * Maximum number of steps of one call. A step is, for example, a token or a compared character;
   * so many steps take some seconds.
   */
  private static final long MAX_STEPS = 1L << 28;

  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Number of steps after which the clock is read, and the request is checked for cancellation. */
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
   * Starts a piece of work on this thread; it ends when the returned object is closed. If the
   * request is cancelled, the next step fails.
   *
   * @param cancelled returns whether the request was cancelled
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
   * Starts a piece of work that belongs to the node and not to a request, so that it cannot be
   * cancelled.
   */
  public static Work ofNode() {
    return begin(NEVER, false);
  }

  /**
   * Continues the piece of work of this thread. If there is none, starts one, which ends when the
   * returned object is closed.
   */
  static Releasable enter() {
    return CURRENT.get() == null ? begin(NEVER) : () -> {};
  }

  /**
   * Returns a function that tells whether the request was cancelled for which this thread works.
   */
  public static BooleanSupplier cancellation() {
    Work work = CURRENT.get();
    return work == null ? NEVER : work.cancelled;
  }

  /**
   * Counts one step, such as a token, of the work of this thread.
   *
   * @throws TaskCancelledException if the request was cancelled, or its client has disconnected
   * @throws IllegalArgumentException (400) if the work has too many steps or takes too long
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

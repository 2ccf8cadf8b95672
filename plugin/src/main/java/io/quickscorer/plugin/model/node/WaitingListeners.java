// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.guard.Guard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * A list of listeners that wait for an event. Each listener is called exactly once, in the thread
 * context of the request that added it, because another context could contain another user's
 * permissions. No other class of the plugin stores listeners. Safe for use by several threads.
 */
final class WaitingListeners {
  private static final Logger LOGGER = LogManager.getLogger(WaitingListeners.class);

  private final ThreadPool threadPool;
  private final Supplier<TimeValue> limit;
  private final Function<TimeValue, Exception> timeoutFailure;
  private List<Waiter> waiting = new ArrayList<>();

  /**
   * Creates an empty list.
   *
   * @param limit returns the maximum waiting time of a listener that was added with {@code bounded
   *     = true}
   * @param timeoutFailure creates the failure after this time; its argument is the time
   */
  WaitingListeners(
      ThreadPool threadPool,
      Supplier<TimeValue> limit,
      Function<TimeValue, Exception> timeoutFailure) {
    this.threadPool = threadPool;
    this.limit = limit;
    this.timeoutFailure = timeoutFailure;
  }

  private static final class Waiter {
    private final ActionListener<Void> listener;
    private Scheduler.@Nullable Cancellable timer;

    Waiter(ActionListener<Void> listener) {
      this.listener = listener;
    }
  }

  /**
   * Adds a listener.
   *
   * @param bounded whether the listener gets a failure if it has waited for the maximum time
   */
  synchronized void add(ActionListener<Void> listener, boolean bounded) {
    Waiter waiter =
        new Waiter(
            ContextPreservingActionListener.wrapPreservingContext(
                listener, threadPool.getThreadContext()));
    waiting.add(waiter);
    if (bounded) {
      TimeValue max = limit.get();
      try {
        waiter.timer = Guard.schedule(threadPool, () -> expire(waiter, max), max);
      } catch (OpenSearchRejectedExecutionException e) {
        LOGGER.debug("the wait for a model has no time limit, because the node is closing", e);
      }
    }
  }

  private void expire(Waiter waiter, TimeValue max) {
    boolean waits;
    synchronized (this) {
      waits = waiting.remove(waiter);
    }
    if (waits) {
      answer(waiter, listener -> listener.onFailure(timeoutFailure.apply(max)));
    }
  }

  /** Removes and returns all listeners. The caller must call them while it holds no lock. */
  synchronized Taken take() {
    Taken taken = new Taken(waiting);
    waiting = new ArrayList<>();
    return taken;
  }

  /** Returns the number of waiting listeners whose time is limited. */
  synchronized int bounded() {
    return Math.toIntExact(waiting.stream().filter(waiter -> waiter.timer != null).count());
  }

  synchronized int size() {
    return waiting.size();
  }

  /**
   * Listeners that {@link WaitingListeners#take} removed. The caller of {@code take} must call
   * them.
   */
  static final class Taken {
    private final List<Waiter> waiters;

    private Taken(List<Waiter> waiters) {
      this.waiters = waiters;
    }

    void onResponse() {
      answer(listener -> listener.onResponse(null));
    }

    void onFailure(Exception failure) {
      answer(listener -> listener.onFailure(failure));
    }

    private void answer(Consumer<ActionListener<Void>> how) {
      for (Waiter waiter : waiters) {
        if (waiter.timer != null) {
          waiter.timer.cancel();
        }
        WaitingListeners.answer(waiter, how);
      }
    }
  }

  /** Calls a listener; logs its exception, so that the other listeners are still called. */
  private static void answer(Waiter waiter, Consumer<ActionListener<Void>> how) {
    try {
      how.accept(waiter.listener);
    } catch (RuntimeException e) {
      LOGGER.warn("could not answer a request that waited for a model", e);
    }
  }
}

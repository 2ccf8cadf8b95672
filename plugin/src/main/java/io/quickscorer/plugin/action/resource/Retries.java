// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.guard.Guard;
import java.util.function.Predicate;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.threadpool.ThreadPool;

/**
 * Tries an action again as long as this node is behind the cluster state that the action needs.
 *
 * @param behind whether a failure says so
 * @param end by {@link ThreadPool#relativeTimeInMillis}; then the failure is the answer
 */
record Retries(ThreadPool threadPool, Predicate<Exception> behind, long end) {
  /** Until this node may have the cluster state that it was behind. */
  private static final TimeValue DELAY = TimeValue.timeValueMillis(50);

  /**
   * Runs an action until it succeeds, or fails otherwise.
   *
   * @param action answers its listener, or throws
   */
  public <R> void run(
      CheckedConsumer<ActionListener<R>, Exception> action, ActionListener<R> listener) {
    ActionRunnable.wrap(
            ActionListener.<R>delegateResponse(
                listener,
                (l, failure) -> {
                  if (!behind.test(failure) || threadPool.relativeTimeInMillis() >= end) {
                    l.onFailure(failure);
                    return;
                  }
                  try {
                    Guard.schedule(
                        threadPool,
                        threadPool.getThreadContext().preserveContext(() -> run(action, l)),
                        DELAY);
                  } catch (OpenSearchRejectedExecutionException closing) {
                    l.onFailure(failure);
                  }
                }),
            action)
        .run();
  }
}

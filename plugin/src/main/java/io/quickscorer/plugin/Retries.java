// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.guard.Guard;
import java.util.function.Predicate;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.threadpool.ThreadPool;

/**
 * Repeats an action that failed because this node does not have the newest cluster state yet.
 *
 * @param behind returns whether a failure has this cause
 * @param end the time after which the action is not repeated, on the clock of {@link
 *     ThreadPool#relativeTimeInMillis}
 */
record Retries(ThreadPool threadPool, Predicate<Exception> behind, long end) {
  /** The time between attempts, during which this node may receive the newest cluster state. */
  private static final TimeValue DELAY = TimeValue.timeValueMillis(50);

  /**
   * Runs an action, and repeats it while it fails because of an old cluster state, until {@link
   * #end}.
   *
   * @param action calls its listener once, or throws
   */
  public <R> void run(
      CheckedConsumer<ActionListener<R>, Exception> action, ActionListener<R> listener) {
    ActionRunnable.wrap(
            Guard.<R>recovering(
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.guard.Guard;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.threadpool.ThreadPool;

/**
 * Limits the time for which a clause waits until models are loaded. The option is {@code max_wait}.
 */
final class MaxWait {
  private MaxWait() {}

  /**
   * Runs a step that may wait for models. If the step takes longer than {@code max_wait}, the
   * listener gets a failure with status 503. If the models are already loaded, the limit has no
   * effect.
   */
  static <R> void within(
      RequestedClause clause,
      ThreadPool threadPool,
      ActionListener<R> listener,
      Consumer<ActionListener<R>> step) {
    TimeValue max = clause.options().maxWait();
    if (max == null) {
      step.accept(listener);
      return;
    }
    AtomicBoolean answered = new AtomicBoolean();
    ActionListener<R> once =
        ActionListener.notifyOnce(
            ActionListener.runBefore(
                ContextPreservingActionListener.wrapPreservingContext(
                    listener, threadPool.getThreadContext()),
                () -> answered.set(true)));
    step.accept(once);
    if (!answered.get()) {
      Guard.schedule(threadPool, () -> once.onFailure(timedOut(clause, max)), max);
    }
  }

  private static OpenSearchStatusException timedOut(RequestedClause clause, TimeValue max) {
    return new OpenSearchStatusException(
        "the clause's models {} were not loaded within [max_wait] {}",
        RestStatus.SERVICE_UNAVAILABLE,
        clause.options().allNames(),
        max);
  }
}

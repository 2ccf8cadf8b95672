// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/** Catches errors in the plugin's transport actions, and in the handlers of their responses. */
final class GuardedActions implements ActionFilter {
  /**
   * The position of this filter: after the server's filters that reject requests, before all
   * others.
   */
  private static final int ORDER = 0;

  @Override
  public int order() {
    return ORDER;
  }

  @Override
  public <Q extends ActionRequest, R extends ActionResponse> void apply(
      Task task,
      String action,
      Q request,
      ActionRequestMetadata<Q, R> metadata,
      ActionListener<R> listener,
      ActionFilterChain<Q, R> chain) {
    if (!action.startsWith("cluster:admin/quickscorer/")
        && !action.startsWith("cluster:monitor/quickscorer/")) {
      chain.proceed(task, action, request, listener);
      return;
    }
    Supplier<String> what = () -> "request [" + action + "]";
    try (StepLimit ignored =
        StepLimit.begin(
            task instanceof CancellableTask wanted ? wanted::isCancelled : () -> false)) {
      ActionListener<R> guarded =
          Guard.listener(
              what,
              Guard.recovering(
                  listener, (to, failure) -> to.onFailure(Failures.shortened(failure))));
      Guard.run(what, () -> chain.proceed(task, action, request, guarded));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** The handler that runs a {@link LocalAction} on this node. */
public abstract class LocalTransportAction<Q, R>
    extends TransportAction<ValueRequest<Q>, ValueResponse<R>> {
  protected LocalTransportAction(
      LocalAction<Q, R> action, TransportService transportService, ActionFilters filters) {
    super(action.name(), filters, transportService.getTaskManager());
  }

  @Override
  protected final void doExecute(
      Task task, ValueRequest<Q> request, ActionListener<ValueResponse<R>> listener) {
    carryOut(task, request.value(), ActionListener.map(listener, ValueResponse::new));
  }

  /**
   * Runs the action and calls the listener exactly once, or throws.
   *
   * @param task the task of this request
   */
  protected abstract void carryOut(Task task, Q request, ActionListener<R> listener);
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.page;

import io.quickscorer.plugin.action.NamedRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Answers whoever the filters of actions let through. */
public final class TransportShowPageAction
    extends HandledTransportAction<NamedRequest, AcknowledgedResponse> {
  @Inject
  public TransportShowPageAction(TransportService transportService, ActionFilters filters) {
    super(ShowPageAction.NAME, transportService, filters, NamedRequest::new);
  }

  @Override
  protected void doExecute(
      Task task, NamedRequest request, ActionListener<AcknowledgedResponse> listener) {
    listener.onResponse(new AcknowledgedResponse(true));
  }
}

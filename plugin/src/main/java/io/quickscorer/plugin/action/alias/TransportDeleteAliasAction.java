// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.alias;

import io.quickscorer.plugin.action.ActivationRequest;
import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ResourceNames;
import java.util.List;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Takes an alias away. */
public final class TransportDeleteAliasAction
    extends HandledTransportAction<NamedRequest, AcknowledgedResponse> {
  private final GuardedClient client;

  @Inject
  public TransportDeleteAliasAction(
      TransportService transportService, ActionFilters filters, NodeClient client) {
    super(DeleteAliasAction.NAME, transportService, filters, NamedRequest::new);
    this.client = GuardedClient.ofPlugin(client);
  }

  @Override
  protected void doExecute(
      Task task, NamedRequest request, ActionListener<AcknowledgedResponse> listener) {
    client.execute(
        ActivateAliasAction.INSTANCE,
        new ActivationRequest<>(
            ResourceNames.check("alias", request.name()),
            new ActivateAliasAction.Change(null, List.of(), null)),
        ActionListener.map(
            listener, published -> new AcknowledgedResponse(published.value().acknowledged())));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ResourceNames;
import java.util.List;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Deletes an alias. */
public final class TransportDeleteAliasAction
    extends LocalTransportAction<String, AcknowledgedResponse> {
  public static final LocalAction<String, AcknowledgedResponse> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/alias/delete");

  private final GuardedClient client;

  @Inject
  public TransportDeleteAliasAction(
      TransportService transportService, ActionFilters filters, NodeClient client) {
    super(ACTION, transportService, filters);
    this.client = GuardedClient.ofPlugin(client);
  }

  @Override
  protected void carryOut(Task task, String name, ActionListener<AcknowledgedResponse> listener) {
    client.execute(
        TransportActivateAliasAction.ACTION,
        new ActivationRequest<>(
            ResourceNames.check("alias", name),
            new TransportActivateAliasAction.Change(null, List.of(), null)),
        ActionListener.map(
            listener, published -> new AcknowledgedResponse(published.value().acknowledged())));
  }
}

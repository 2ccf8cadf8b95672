// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.GuardedClient;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Resets the counts of an experiment on all nodes. Fails if a node does not answer. */
public final class TransportResetComparisonsAction
    extends LocalTransportAction<String, AcknowledgedResponse> {
  /** The action that resets the counts. Its request is the name of the experiment. */
  public static final LocalAction<String, AcknowledgedResponse> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/comparison/reset");

  private final GuardedClient client;

  @Inject
  public TransportResetComparisonsAction(
      TransportService transportService, ActionFilters filters, NodeClient client) {
    super(ACTION, transportService, filters);
    this.client = GuardedClient.ofPlugin(client);
  }

  @Override
  protected void carryOut(
      Task task, String experiment, ActionListener<AcknowledgedResponse> listener) {
    client.execute(
        TransportStatsAction.ACTION,
        TransportStatsAction.Request.forgetting(experiment),
        ActionListener.map(
            listener,
            stats -> {
              stats.checkComplete();
              return new AcknowledgedResponse(true);
            }));
  }
}

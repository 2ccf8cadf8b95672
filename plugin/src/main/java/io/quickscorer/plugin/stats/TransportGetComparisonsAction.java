// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Work;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/** Reads all nodes' statistics. A node that does not answer fails the report. */
public final class TransportGetComparisonsAction
    extends LocalTransportAction<String, GetComparisonsAction.Response> {
  private final GuardedClient client;

  @Inject
  public TransportGetComparisonsAction(
      TransportService transportService, ActionFilters filters, NodeClient client) {
    super(GetComparisonsAction.INSTANCE, transportService, filters);
    this.client = GuardedClient.ofPlugin(client);
  }

  @Override
  protected void carryOut(
      Task task, String experiment, ActionListener<GetComparisonsAction.Response> listener) {
    client.execute(
        StatsAction.INSTANCE,
        new StatsAction.Request(),
        ActionListener.map(
            listener,
            stats -> {
              ComparisonCounts all = ComparisonCounts.NONE;
              for (StatsAction.Values node : stats.checkComplete().values()) {
                Work.step();
                all = all.and(node.rescore().comparisons());
              }
              return new GetComparisonsAction.Response(
                  experiment.isEmpty() ? all : all.of(experiment));
            }));
  }
}

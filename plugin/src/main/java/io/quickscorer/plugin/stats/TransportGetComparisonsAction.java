// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Work;
import java.io.IOException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Returns the counters that compare models, summed over all nodes: those of the named experiment,
 * or all if the name is empty. Fails if a node does not answer.
 */
public final class TransportGetComparisonsAction
    extends LocalTransportAction<String, TransportGetComparisonsAction.Response> {
  public static final LocalAction<String, Response> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/comparison/get");

  /** The counters that compare models, summed over all nodes. */
  public record Response(ComparisonCounts counts) implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      counts.toXContent(builder, params);
      return builder.endObject();
    }
  }

  private final GuardedClient client;

  @Inject
  public TransportGetComparisonsAction(
      TransportService transportService, ActionFilters filters, NodeClient client) {
    super(ACTION, transportService, filters);
    this.client = GuardedClient.ofPlugin(client);
  }

  @Override
  protected void carryOut(Task task, String experiment, ActionListener<Response> listener) {
    client.execute(
        TransportStatsAction.ACTION,
        new TransportStatsAction.Request(),
        ActionListener.map(
            listener,
            stats -> {
              ComparisonCounts all = ComparisonCounts.NONE;
              for (TransportStatsAction.Values node : stats.checkComplete().values()) {
                Work.step();
                all = all.and(node.rescore().comparisons());
              }
              return new Response(experiment.isEmpty() ? all : all.of(experiment));
            }));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.stats.StatsAction;
import java.util.List;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActions.NodesResponseRestListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET stats} of all nodes and {@code GET {node_id}/stats} of some. */
public final class RestStatsAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_stats";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, Routes.STATS),
        new Route(RestRequest.Method.GET, Routes.NODE_STATS));
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    StatsAction.Request stats =
        new StatsAction.Request(Strings.splitStringByCommaToArray(request.param("node_id", "")));
    return channel ->
        client.execute(StatsAction.INSTANCE, stats, new NodesResponseRestListener<>(channel));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ready.ReadyAction;
import java.util.List;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.Strings;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET ready} of all nodes, {@code GET {node_id}/ready} of some, and {@code GET
 * ready?local=true} of the node that is asked, for which no other node is needed.
 */
public final class RestReadyAction extends PluginRestHandler {
  private static final TimeValue TIMEOUT = TimeValue.timeValueSeconds(10);

  @Override
  public String getName() {
    return "quickscorer_ready";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, Routes.READY),
        new Route(RestRequest.Method.HEAD, Routes.READY),
        new Route(RestRequest.Method.GET, Routes.NODE_READY));
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    String nodes = request.paramAsBoolean("local", false) ? "_local" : request.param("node_id", "");
    ReadyAction.Request ready =
        new ReadyAction.Request(Strings.splitStringByCommaToArray(nodes))
            .timeout(request.paramAsTime("timeout", TIMEOUT));
    return channel ->
        client.execute(ReadyAction.INSTANCE, ready, new RestStatusToXContentListener<>(channel));
  }

  /** A node that has no thread or memory to spare says so here. */
  @Override
  public boolean canTripCircuitBreaker() {
    return false;
  }
}

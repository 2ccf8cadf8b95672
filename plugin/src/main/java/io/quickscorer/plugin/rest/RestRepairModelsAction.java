// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.model.RepairModelsAction;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST models/_repair} and {@code POST models/{name}/_repair}. */
public final class RestRepairModelsAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_repair_models";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.POST, Routes.MODELS + "/_repair"),
        new Route(RestRequest.Method.POST, Routes.MODEL + "/_repair"));
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    checkNoBody(request);
    RepairModelsAction.Request repair =
        new RepairModelsAction.Request(
            request.param("name", ""), request.paramAsBoolean("dry_run", false));
    return channel ->
        client.execute(RepairModelsAction.INSTANCE, repair, new RestToXContentListener<>(channel));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.model.GetModelsAction;
import java.util.List;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET models} and {@code GET|HEAD models/{name}}. */
public final class RestGetModelsAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_get_models";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, Routes.MODELS),
        new Route(RestRequest.Method.GET, Routes.MODEL),
        new Route(RestRequest.Method.HEAD, Routes.MODEL));
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    ListRequest get = Routes.list(request);
    return channel ->
        client.execute(
            GetModelsAction.INSTANCE,
            get,
            new RestBuilderListener<>(channel) {
              @Override
              public RestResponse buildResponse(
                  GetModelsAction.Response response, XContentBuilder builder) throws Exception {
                if (!get.single()) {
                  builder.startObject().field("total", response.total()).startArray("models");
                  for (GetModelsAction.Model model : response.models()) {
                    model.toXContent(builder, request);
                  }
                  builder.endArray().endObject();
                } else {
                  response.models().getFirst().toXContent(builder, request);
                }
                return new BytesRestResponse(RestStatus.OK, builder);
              }
            });
  }
}

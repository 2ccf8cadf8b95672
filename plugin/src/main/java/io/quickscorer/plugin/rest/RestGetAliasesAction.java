// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.alias.GetAliasesAction;
import io.quickscorer.plugin.model.ModelAlias;
import java.util.List;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET aliases} and {@code GET|HEAD aliases/{name}}. */
public final class RestGetAliasesAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_get_aliases";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, Routes.ALIASES),
        new Route(RestRequest.Method.GET, Routes.ALIAS),
        new Route(RestRequest.Method.HEAD, Routes.ALIAS));
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    ListRequest get = Routes.list(request);
    return channel ->
        client.execute(
            GetAliasesAction.INSTANCE,
            get,
            new RestBuilderListener<>(channel) {
              @Override
              public RestResponse buildResponse(
                  GetAliasesAction.Response response, XContentBuilder builder) throws Exception {
                if (!get.single()) {
                  builder.startObject().field("total", response.total()).startArray("aliases");
                  for (ModelAlias alias : response.aliases()) {
                    alias.toXContent(builder, request);
                  }
                  builder.endArray().endObject();
                } else {
                  response.aliases().getFirst().toXContent(builder, request);
                }
                return new BytesRestResponse(RestStatus.OK, builder);
              }
            });
  }
}

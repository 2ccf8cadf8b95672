// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.featureset.GetFeatureSetsAction;
import io.quickscorer.plugin.feature.set.FeatureSet;
import java.util.List;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET feature_sets} and {@code GET|HEAD feature_sets/{name}}. */
public final class RestGetFeatureSetsAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_get_feature_sets";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, Routes.FEATURE_SETS),
        new Route(RestRequest.Method.GET, Routes.FEATURE_SET),
        new Route(RestRequest.Method.HEAD, Routes.FEATURE_SET));
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    ListRequest get = Routes.list(request);
    return channel ->
        client.execute(
            GetFeatureSetsAction.INSTANCE,
            get,
            new RestBuilderListener<>(channel) {
              @Override
              public RestResponse buildResponse(
                  GetFeatureSetsAction.Response response, XContentBuilder builder)
                  throws Exception {
                if (!get.single()) {
                  builder.startObject().field("total", response.total()).startArray("feature_sets");
                  for (FeatureSet set : response.sets()) {
                    set.show(builder, request);
                  }
                  builder.endArray().endObject();
                } else {
                  response.sets().getFirst().show(builder, request);
                }
                return new BytesRestResponse(RestStatus.OK, builder);
              }
            });
  }
}

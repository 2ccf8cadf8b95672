// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.action.featureset.DeleteFeatureSetAction;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code DELETE feature_sets/{name}}. */
public final class RestDeleteFeatureSetAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_delete_feature_set";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.DELETE, Routes.FEATURE_SET);
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    NamedRequest delete = new NamedRequest(request.param("name"));
    return channel ->
        client.execute(
            DeleteFeatureSetAction.INSTANCE, delete, new RestToXContentListener<>(channel));
  }
}

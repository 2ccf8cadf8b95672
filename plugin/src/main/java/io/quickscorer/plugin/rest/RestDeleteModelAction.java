// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.action.model.DeleteModelAction;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code DELETE models/{name}}. */
public final class RestDeleteModelAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_delete_model";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.DELETE, Routes.MODEL);
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    NamedRequest delete = new NamedRequest(request.param("name"));
    return channel ->
        client.execute(DeleteModelAction.INSTANCE, delete, new RestToXContentListener<>(channel));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.action.stats.ImportanceAction;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET models/{name}/_importance}. */
public final class RestImportanceAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_importance";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.GET, Routes.MODEL + "/_importance");
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    NamedRequest get = new NamedRequest(request.param("name"));
    return channel ->
        client.execute(ImportanceAction.INSTANCE, get, new RestToXContentListener<>(channel));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.action.stats.DriftAction;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET models/{name}/_drift}. */
public final class RestDriftAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_drift";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.GET, Routes.MODEL + "/_drift");
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    NamedRequest get = new NamedRequest(request.param("name"));
    DriftAction action =
        request.paramAsBoolean("values", false) ? DriftAction.WITH_VALUES : DriftAction.INSTANCE;
    return channel -> client.execute(action, get, new RestToXContentListener<>(channel));
  }
}

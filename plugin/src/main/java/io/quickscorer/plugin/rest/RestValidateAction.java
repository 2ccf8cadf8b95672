// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.export.ValidateAction;
import io.quickscorer.plugin.model.ResourceNames;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code POST feature_sets/{name}/_validate}: tries a set on an index. It ends when the connection
 * does.
 */
public final class RestValidateAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_validate";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.POST, Routes.FEATURE_SET + "/_validate");
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    ValidateAction.Request trial =
        new ValidateAction.Request(
            ResourceNames.check("feature set", request.param("name")),
            request.getMediaType(),
            request.content());
    return channel ->
        new RestCancellableNodeClient(client, request.getHttpChannel())
            .execute(ValidateAction.INSTANCE, trial, new RestToXContentListener<>(channel));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.featureset.PutFeatureSetAction;
import java.util.List;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code PUT feature_sets/{name}}: 201 if new, 200 if replaced. With {@code ?index=} its fields are
 * looked for there.
 */
public final class RestPutFeatureSetAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_put_feature_set";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.PUT, Routes.FEATURE_SET);
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    PutFeatureSetAction.Request put =
        new PutFeatureSetAction.Request(
            request.param("name"),
            Routes.create(request),
            request.param("index"),
            request.getMediaType(),
            request.content());
    return channel ->
        new RestCancellableNodeClient(client, request.getHttpChannel())
            .execute(
                PutFeatureSetAction.INSTANCE,
                put,
                new RestStatusToXContentListener<>(
                    channel, stored -> Routes.FEATURE_SETS + "/" + stored.name()));
  }
}

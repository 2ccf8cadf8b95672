// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.action.model.ModelFileAction;
import java.util.List;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET models/{name}/_file}: the stored form, byte by byte. */
public final class RestModelFileAction extends PluginRestHandler {
  @Override
  public String getName() {
    return "quickscorer_model_file";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.GET, Routes.MODEL + "/_file");
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    NamedRequest get = new NamedRequest(request.param("name"));
    return channel ->
        client.execute(
            ModelFileAction.INSTANCE,
            get,
            new RestResponseListener<>(channel) {
              @Override
              public RestResponse buildResponse(ModelFileAction.Response response) {
                BytesRestResponse file =
                    new BytesRestResponse(
                        RestStatus.OK, "application/octet-stream", response.file());
                file.addHeader("X-Quickscorer-Version", response.id().version());
                return file;
              }
            });
  }
}

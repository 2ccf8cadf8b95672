// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.model.ModelFileAction;
import io.quickscorer.plugin.action.model.ModelFileAction.Form;
import io.quickscorer.plugin.feature.EnumNames;
import java.util.List;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET models/{name}/_file}: the file that was uploaded, or with {@code form=compact} the
 * stored form, byte by byte.
 */
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
    Form form = EnumNames.find(Form.class, request.param("form", EnumNames.of(Form.UPLOADED)));
    if (form == null) {
      throw new IllegalArgumentException("form: expected one of " + EnumNames.all(Form.class));
    }
    ModelFileAction.Request get = new ModelFileAction.Request(request.param("name"), form);
    return channel ->
        client.execute(
            ModelFileAction.INSTANCE,
            get,
            new RestResponseListener<>(channel) {
              @Override
              public RestResponse buildResponse(ModelFileAction.Response response) {
                BytesRestResponse file =
                    new BytesRestResponse(RestStatus.OK, response.contentType(), response.file());
                file.addHeader("X-Quickscorer-Version", response.id().version());
                // Names of models have no character that would need quoting.
                file.addHeader(
                    "Content-Disposition", "attachment; filename=\"" + response.name() + "\"");
                return file;
              }
            });
  }
}

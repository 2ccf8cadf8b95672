// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.transfer.ExportAction;
import java.util.List;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET _export}: all that there is, in pieces that make one file. */
public final class RestExportAction extends PluginRestHandler {
  private static final ByteSizeValue DEFAULT_BYTES = new ByteSizeValue(16, ByteSizeUnit.MB);
  private static final ByteSizeValue MAX_BYTES = new ByteSizeValue(64, ByteSizeUnit.MB);

  @Override
  public String getName() {
    return "quickscorer_export";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.GET, Routes.EXPORT);
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    long bytes = request.paramAsSize("max_bytes", DEFAULT_BYTES).getBytes();
    if (bytes < 1 || bytes > MAX_BYTES.getBytes()) {
      throw new IllegalArgumentException("max_bytes: expected at most " + MAX_BYTES);
    }
    ExportAction.Request export = new ExportAction.Request(request.param("from", ""), bytes);
    return channel ->
        new RestCancellableNodeClient(client, request.getHttpChannel())
            .execute(
                ExportAction.INSTANCE,
                export,
                new RestResponseListener<>(channel) {
                  @Override
                  public RestResponse buildResponse(ExportAction.Response piece) {
                    BytesRestResponse response =
                        new BytesRestResponse(RestStatus.OK, "application/x-ndjson", piece.lines());
                    if (piece.next() != null) {
                      response.addHeader(RestLogAction.NEXT, piece.next());
                    }
                    return response;
                  }
                });
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.export.LogAction;
import io.quickscorer.plugin.export.LogExport;
import io.quickscorer.plugin.model.ResourceNames;
import java.util.List;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActionListener;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code POST feature_sets/{name}/_log}: a training file, in pieces. It ends when the connection
 * does.
 */
public final class RestLogAction extends PluginRestHandler {
  /** Where the next piece begins; absent in the last. */
  static final String NEXT = "X-Quickscorer-Next";

  private static final ByteSizeValue DEFAULT_BYTES = new ByteSizeValue(16, ByteSizeUnit.MB);
  private static final ByteSizeValue MAX_BYTES = new ByteSizeValue(64, ByteSizeUnit.MB);

  @Override
  public String getName() {
    return "quickscorer_log";
  }

  @Override
  public List<Route> routes() {
    return Routes.of(RestRequest.Method.POST, Routes.FEATURE_SET + "/_log");
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    long bytes = request.paramAsSize("max_bytes", DEFAULT_BYTES).getBytes();
    if (bytes < 1 || bytes > MAX_BYTES.getBytes()) {
      throw new IllegalArgumentException("max_bytes: expected at most " + MAX_BYTES);
    }
    LogAction.Request log =
        new LogAction.Request(
            ResourceNames.check("feature set", request.param("name")),
            request.getMediaType(),
            request.content(),
            LogExport.Place.parse(request.param("from", "0")),
            bytes);
    RestCancellableNodeClient cancellable =
        new RestCancellableNodeClient(client, request.getHttpChannel());
    return channel ->
        cancellable.execute(
            LogAction.INSTANCE,
            log,
            new RestActionListener<>(channel) {
              @Override
              protected void processResponse(LogExport.Piece piece) {
                BytesRestResponse response =
                    new BytesRestResponse(RestStatus.OK, piece.contentType(), piece.content());
                response.addHeader("X-Quickscorer-Rows", Integer.toString(piece.rows()));
                response.addHeader("X-Quickscorer-Not-Found", Integer.toString(piece.notFound()));
                if (piece.next() != null) {
                  response.addHeader(NEXT, piece.next().toString());
                }
                channel.sendResponse(response);
              }
            });
  }
}

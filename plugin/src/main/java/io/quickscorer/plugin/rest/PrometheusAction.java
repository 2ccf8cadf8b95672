// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.stats.TransportStatsAction;
import java.util.List;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET _prometheus}: the statistics of the node that receives the request, so that Prometheus
 * must read each node.
 */
final class PrometheusAction extends BaseRestHandler {
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  @Override
  public String getName() {
    return "quickscorer_prometheus";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestRequest.Method.GET, Routes.BASE + "_prometheus"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    return channel ->
        Guard.run(
            request::path,
            () ->
                client.execute(
                    TransportStatsAction.ACTION,
                    new TransportStatsAction.Request("_local"),
                    new RestResponseListener<>(channel) {
                      @Override
                      public RestResponse buildResponse(TransportStatsAction.Response stats) {
                        return new BytesRestResponse(
                            RestStatus.OK,
                            CONTENT_TYPE,
                            stats.checkComplete().getNodes().getFirst().values().metrics());
                      }
                    }));
  }
}

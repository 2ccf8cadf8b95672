// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.action.comparison.GetComparisonsAction;
import io.quickscorer.plugin.action.comparison.ReportClicksAction;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestMemory;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET comparisons}, and {@code POST comparisons/_clicks}, of which they are made. */
public final class RestComparisonsAction extends PluginRestHandler {
  private static final String CLICKS = Routes.COMPARISONS + "/_clicks";

  private final Supplier<RequestMemory> memory;

  public RestComparisonsAction(Supplier<RequestMemory> memory) {
    this.memory = memory;
  }

  @Override
  public String getName() {
    return "quickscorer_comparisons";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.GET, Routes.COMPARISONS),
        new Route(RestRequest.Method.POST, CLICKS));
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    if (request.method() == RestRequest.Method.GET) {
      checkNoBody(request);
      return channel ->
          client.execute(
              GetComparisonsAction.INSTANCE,
              new NamedRequest(""),
              new RestToXContentListener<>(channel));
    }
    ReportClicksAction.Request clicks;
    try (MemoryCharge parsed = memory.get().charge("<clicks>")) {
      clicks = ReportClicksAction.Request.parse(request.getMediaType(), request.content(), parsed);
    }
    return channel ->
        client.execute(ReportClicksAction.INSTANCE, clicks, new RestToXContentListener<>(channel));
  }
}

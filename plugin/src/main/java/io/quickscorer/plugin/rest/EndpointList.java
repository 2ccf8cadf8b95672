// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.TransportShowPageAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.ValueResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.transport.client.Client;

/**
 * Lists the HTTP methods of each path. Users who may see the plugin's web page may see this list.
 */
final class EndpointList {
  private EndpointList() {}

  static Endpoint.Answer answer(Client client, List<RestHandler> endpoints) {
    return channel ->
        client.execute(
            TransportShowPageAction.ACTION,
            new ValueRequest<>(""),
            new RestBuilderListener<ValueResponse<String>>(channel) {
              @Override
              public RestResponse buildResponse(
                  ValueResponse<String> permitted, XContentBuilder builder) throws IOException {
                builder.startObject().startObject("endpoints");
                for (Map.Entry<String, Set<String>> path : methods(endpoints).entrySet()) {
                  builder.field(path.getKey(), path.getValue());
                }
                builder.endObject().endObject();
                return new BytesRestResponse(RestStatus.OK, builder);
              }
            });
  }

  private static Map<String, Set<String>> methods(List<RestHandler> endpoints) {
    Map<String, Set<String>> methods = new TreeMap<>();
    for (RestHandler endpoint : endpoints) {
      for (RestHandler.Route route : endpoint.routes()) {
        methods
            .computeIfAbsent(route.getPath(), path -> new TreeSet<>())
            .add(route.getMethod().name());
      }
    }
    return methods;
  }
}

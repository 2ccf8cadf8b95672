// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.alias.PutAliasAction;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.Shares;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code PUT aliases/{name}} moves an alias, {@code POST aliases/{name}/_rollback} moves it back.
 */
public final class RestPutAliasAction extends PluginRestHandler {
  private final Supplier<RequestMemory> memory;

  public RestPutAliasAction(Supplier<RequestMemory> memory) {
    this.memory = memory;
  }

  private static final String ROLLBACK = Routes.ALIAS + "/_rollback";

  @Override
  public String getName() {
    return "quickscorer_put_alias";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(RestRequest.Method.PUT, Routes.ALIAS),
        new Route(RestRequest.Method.POST, ROLLBACK));
  }

  @Override
  RestChannelConsumer prepare(RestRequest request, NodeClient client) {
    Shares target = null;
    if (request.method() == RestRequest.Method.PUT) {
      try (MemoryCharge parsed = memory.get().charge("<alias>")) {
        target = ModelAlias.parseTarget(request.getMediaType(), request.content(), parsed);
      }
    } else {
      checkNoBody(request);
    }
    PutAliasAction.Request put =
        new PutAliasAction.Request(
            request.param("name"),
            target,
            request.paramAsTime("timeout", PutModelAction.DEFAULT_TIMEOUT));
    return channel ->
        client.execute(
            PutAliasAction.INSTANCE,
            put,
            new RestStatusToXContentListener<>(
                channel, moved -> Routes.ALIASES + "/" + moved.alias().name()));
  }
}

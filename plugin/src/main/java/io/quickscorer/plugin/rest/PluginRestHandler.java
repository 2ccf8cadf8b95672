package io.quickscorer.plugin.rest;

import java.io.IOException;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** What all handlers have in common: who meets a 503 is told when to come again. */
abstract class PluginRestHandler extends BaseRestHandler {
  @Override
  protected final RestChannelConsumer prepareRequest(RestRequest request, NodeClient client)
      throws IOException {
    RestChannelConsumer answer = prepare(request, client);
    return channel -> answer.accept(new RetryAfterChannel(channel));
  }

  /** As {@link #prepareRequest}. */
  abstract RestChannelConsumer prepare(RestRequest request, NodeClient client) throws IOException;
}

package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.ParsedSize;
import io.quickscorer.plugin.memory.RequestMemory;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/**
 * What all handlers have in common: who meets a 503 or a 429 is told when to come again, and a body
 * is charged with what is parsed of it until the answer is sent.
 */
abstract class PluginRestHandler extends BaseRestHandler {
  private final @Nullable Supplier<RequestMemory> memory;

  /** For requests without a body, or with one that is charged as what it is. */
  PluginRestHandler() {
    memory = null;
  }

  /** For requests with a body that is an object. */
  PluginRestHandler(Supplier<RequestMemory> memory) {
    this.memory = memory;
  }

  @Override
  protected final RestChannelConsumer prepareRequest(RestRequest request, NodeClient client)
      throws IOException {
    Releasable charge = charge(request);
    boolean done = false;
    try {
      RestChannelConsumer answer = prepare(request, client);
      done = true;
      return channel -> {
        boolean accepted = false;
        try {
          answer.accept(new AnswerChannel(channel, charge));
          accepted = true;
        } finally {
          if (!accepted) {
            charge.close();
          }
        }
      };
    } finally {
      if (!done) {
        charge.close();
      }
    }
  }

  private Releasable charge(RestRequest request) {
    if (memory == null || !request.hasContent()) {
      return () -> {};
    }
    return MemoryCharge.take(
        memory.get().breaker(),
        ParsedSize.bytes(request.getMediaType(), request.content()),
        "<quickscorer body of " + request.path() + ">");
  }

  /** As {@link #prepareRequest}. */
  abstract RestChannelConsumer prepare(RestRequest request, NodeClient client) throws IOException;
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.ParsedSize;
import io.quickscorer.plugin.memory.RequestMemory;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.tasks.Task;
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
    long bytes = bodyBytes(request);
    String label = "<quickscorer body of " + request.path() + ">";
    RestChannelConsumer answer;
    try (Releasable checked = charge(bytes, label)) {
      answer = prepare(request, client);
    } catch (OpenSearchException e) {
      throw retriable(e);
    }
    // The server may still refuse the request, and then asks for no answer: nothing is held here.
    return channel -> {
      Releasable charge =
          memory == null ? () -> {} : MemoryCharge.takeAnyway(memory.get().breaker(), bytes, label);
      boolean accepted = false;
      try {
        answer.accept(new AnswerChannel(channel, charge));
        accepted = true;
      } catch (OpenSearchException e) {
        throw retriable(e);
      } finally {
        if (!accepted) {
          charge.close();
        }
      }
    };
  }

  /**
   * Refuses a body that nobody would read: the server lets it pass.
   *
   * @throws IllegalArgumentException (400) if there is one
   */
  static void checkNoBody(RestRequest request) {
    if (request.hasContent()) {
      throw new IllegalArgumentException(
          "request [" + request.method() + " " + request.path() + "] does not take a body");
    }
  }

  private static OpenSearchException retriable(OpenSearchException failure) {
    if (AnswerChannel.isForAMoment(failure.status())
        && failure.getHeader(AnswerChannel.HEADER) == null) {
      failure.addHeader(AnswerChannel.HEADER, AnswerChannel.SECONDS);
    }
    return failure;
  }

  /** What the body takes once it is parsed; 0 where it is not charged here. */
  private long bodyBytes(RestRequest request) {
    return memory == null || !request.hasContent()
        ? 0
        : ParsedSize.bytes(request.getMediaType(), request.content());
  }

  private Releasable charge(long bytes, String label) {
    return memory == null ? () -> {} : MemoryCharge.take(memory.get().breaker(), bytes, label);
  }

  /**
   * Begins an action that stores its result for the task API, and answers with the task's id.
   *
   * @param request whose result is stored
   */
  static <Q extends ActionRequest, R extends ActionResponse> RestChannelConsumer inBackground(
      NodeClient client, ActionType<R> action, Q request) {
    return channel -> {
      Task task = client.executeLocally(action, request, LoggingTaskListener.instance());
      try (XContentBuilder builder = channel.newBuilder()) {
        String id = client.getLocalNodeId() + ":" + task.getId();
        builder.startObject().field("task", id).endObject();
        channel.sendResponse(new BytesRestResponse(RestStatus.OK, builder));
      }
    };
  }

  /** As {@link #prepareRequest}. */
  abstract RestChannelConsumer prepare(RestRequest request, NodeClient client) throws IOException;
}

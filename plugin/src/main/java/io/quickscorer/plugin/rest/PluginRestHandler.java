// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.guard.Guard;
import java.io.IOException;
import org.opensearch.OpenSearchException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.node.NodeClient;

/** What all handlers have in common: who meets a 503 or a 429 is told when to come again. */
abstract class PluginRestHandler extends BaseRestHandler {
  @Override
  protected final RestChannelConsumer prepareRequest(RestRequest request, NodeClient client)
      throws IOException {
    RestChannelConsumer answer;
    try {
      answer = Guard.call(request::path, () -> prepare(request, client));
    } catch (OpenSearchException e) {
      throw retriable(e);
    }
    return channel -> {
      try {
        Guard.run(request::path, () -> answer.accept(new AnswerChannel(channel)));
      } catch (OpenSearchException e) {
        throw retriable(e);
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

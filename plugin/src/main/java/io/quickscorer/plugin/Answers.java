// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.ValueResponse;
import java.io.IOException;
import java.util.function.Function;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.node.NodeClient;

/** Creates answers of REST endpoints: objects that run an action and send its response. */
final class Answers {
  private Answers() {}

  @FunctionalInterface
  interface Making<R> {
    RestResponse make(R response, RestChannel channel) throws IOException;
  }

  /**
   * Returns an answer that runs an action and sends a REST response.
   *
   * @param making creates the REST response from the action's response
   */
  static <R extends ActionResponse> Endpoint.Answer of(
      Client client, ActionType<R> action, ActionRequest request, Making<R> making) {
    return channel ->
        client.execute(
            action,
            request,
            new RestResponseListener<R>(channel) {
              @Override
              public RestResponse buildResponse(R response) throws IOException {
                return making.make(response, channel);
              }
            });
  }

  /**
   * Returns an answer that runs an action, and sends the action's response as a JSON object. The
   * response also determines the HTTP status.
   */
  static <Q, R> Endpoint.Answer shown(Client client, PluginAction<Q, R> action, Q request) {
    return stored(client, action, request, response -> "");
  }

  /**
   * Returns an answer that runs an action, and sends the action's response as a JSON object. The
   * response also determines the HTTP status.
   *
   * @param location returns the path of the created item for the header {@code Location}; if it is
   *     empty, the header is left out
   */
  static <Q, R> Endpoint.Answer stored(
      Client client, PluginAction<Q, R> action, Q request, Function<R, String> location) {
    return channel ->
        client.execute(
            action,
            new ValueRequest<>(request),
            new RestStatusToXContentListener<ValueResponse<R>>(
                channel, response -> location.apply(response.value())));
  }

  /**
   * Returns an answer that runs an action and sends a REST response.
   *
   * @param making creates the REST response from the object that the action returns
   */
  static <Q, R> Endpoint.Answer made(
      Client client, PluginAction<Q, R> action, Q request, Function<R, RestResponse> making) {
    return of(
        client,
        action,
        new ValueRequest<>(request),
        (response, channel) -> making.apply(response.value()));
  }

  /**
   * Returns an answer that runs an action, and sends one item or a page of a list.
   *
   * @param things the name of the JSON field that contains the list
   */
  static <T extends ToXContentObject> Endpoint.Answer listed(
      RestRequest request,
      Client client,
      PluginAction<ListRequest, ListRequest.Page<T>> action,
      String things) {
    ListRequest list = Requests.list(request);
    return of(
        client,
        action,
        new ValueRequest<>(list),
        (response, channel) -> {
          ListRequest.Page<T> page = response.value();
          XContentBuilder builder = channel.newBuilder();
          if (list.single()) {
            page.items().getFirst().toXContent(builder, request);
          } else {
            builder.startObject();
            builder.field("total", page.total()).field(things, page.items()).endObject();
          }
          return new BytesRestResponse(RestStatus.OK, builder);
        });
  }

  /**
   * Returns an answer that runs the action as a task, and sends the action's result. If the request
   * runs in the background, sends only the task's id; the task API stores the result.
   *
   * @param location returns the path of the created item, for header {@code Location}
   */
  static <Q extends ValueRequest.Tracked, R> Endpoint.Answer tracked(
      NodeClient client, PluginAction<Q, R> action, Q request, Function<R, String> location) {
    if (!request.background()) {
      return stored(client, action, request, location);
    }
    return channel -> {
      Task task =
          client.executeLocally(
              action, new ValueRequest<>(request), LoggingTaskListener.instance());
      try (XContentBuilder builder = channel.newBuilder()) {
        String id = client.getLocalNodeId() + ":" + task.getId();
        builder.startObject().field("task", id).endObject();
        channel.sendResponse(new BytesRestResponse(RestStatus.OK, builder));
      }
    };
  }
}

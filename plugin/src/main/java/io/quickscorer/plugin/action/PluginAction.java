// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.wire.WireRecord;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.action.support.TransportAction;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * An action with one value as its request and one as its response. A local action runs on the node
 * that received the user's request, so its values are never serialised. The values of a remote
 * action are {@link WireRecord}s, which nodes send to each other.
 *
 * @param <Q> the request
 * @param <R> the response
 */
public final class PluginAction<Q, R> extends ActionType<ValueResponse<R>> {
  private final Writeable.@Nullable Reader<ValueRequest<Q>> requests;

  private PluginAction(
      String name,
      Writeable.@Nullable Reader<ValueRequest<Q>> requests,
      Writeable.Reader<ValueResponse<R>> responses) {
    super(name, responses);
    this.requests = requests;
  }

  /**
   * Creates a local action, whose values are never sent to another node.
   *
   * @param name the name of the action, to which permissions refer
   */
  public static <Q, R> PluginAction<Q, R> local(String name) {
    return new PluginAction<>(name, null, in -> unread(name));
  }

  /** Always throws an exception: the values of a local action are never read from a stream. */
  static <T> T unread(String name) {
    throw new UnsupportedOperationException(name);
  }

  /**
   * Creates a remote action, which nodes can send to each other.
   *
   * @param requests the class of the request's value
   * @param responses the class of the response's value
   */
  public static <Q extends WireRecord, R extends WireRecord> PluginAction<Q, R> remote(
      String name, Class<Q> requests, Class<R> responses) {
    return new PluginAction<>(
        name, in -> new ValueRequest<>(in, requests), ValueResponse.reader(responses));
  }

  /** The code that runs for an action. */
  @FunctionalInterface
  public interface Operation<Q, R> {
    /**
     * Runs the action and calls the listener exactly once, or throws.
     *
     * @param task the task of this request
     */
    void run(Task task, Q request, ActionListener<R> listener);
  }

  /** Runs the action on the node to which the client belongs. */
  public void execute(Client client, Q request, ActionListener<R> listener) {
    new GuardedClient(client)
        .execute(
            this, new ValueRequest<>(request), ActionListener.map(listener, ValueResponse::value));
  }

  /** Runs the action on another node. */
  public void send(
      TransportService transport,
      DiscoveryNode node,
      Q request,
      TransportRequestOptions options,
      ActionListener<R> listener) {
    transport.sendRequest(
        node,
        name(),
        new ValueRequest<>(request),
        options,
        new ActionListenerResponseHandler<>(
            Guard.listener(
                () -> "the response of a node", ActionListener.map(listener, ValueResponse::value)),
            getResponseReader(),
            ThreadPool.Names.GENERIC));
  }

  /**
   * Returns the handler with which the server runs the action.
   *
   * @param operation the code of the action
   */
  public TransportAction<ValueRequest<Q>, ValueResponse<R>> handler(
      TransportService transport, ActionFilters filters, Operation<Q, R> operation) {
    if (requests != null) {
      return new HandledTransportAction<>(name(), transport, filters, requests) {
        @Override
        protected void doExecute(
            Task task, ValueRequest<Q> request, ActionListener<ValueResponse<R>> listener) {
          operation.run(task, request.value(), ActionListener.map(listener, ValueResponse::new));
        }
      };
    }
    return new TransportAction<>(name(), filters, transport.getTaskManager()) {
      @Override
      protected void doExecute(
          Task task, ValueRequest<Q> request, ActionListener<ValueResponse<R>> listener) {
        operation.run(task, request.value(), ActionListener.map(listener, ValueResponse::new));
      }
    };
  }
}

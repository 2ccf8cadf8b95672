// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.guard.Failures;
import io.quickscorer.plugin.guard.Guard;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.opensearch.OpenSearchException;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.transport.client.node.NodeClient;

/**
 * A REST handler of this plugin. {@link Endpoints} creates all handlers. A response with status 503
 * or 429 has a Retry-After header.
 */
class Endpoint extends BaseRestHandler {
  private final String name;
  private final List<Route> routes;
  private final Preparation preparation;

  /**
   * Reads the parameters and the body of a request, and returns its answer. If it leaves a
   * parameter unread, the server rejects the request (400).
   */
  @FunctionalInterface
  interface Preparation {
    Answer of(RestRequest request, NodeClient client) throws IOException;
  }

  /** Sends the response to a request, immediately or later. */
  @FunctionalInterface
  interface Answer {
    void send(RestChannel channel) throws Exception;
  }

  /**
   * Creates a handler for some paths.
   *
   * @param name the name of the handler in the server's usage statistics
   * @param preparation reads a request and returns its answer
   * @param routes the HTTP methods and paths
   */
  Endpoint(String name, Preparation preparation, List<Route> routes) {
    this.name = "quickscorer_" + name;
    this.preparation = preparation;
    this.routes = routes;
  }

  @Override
  public final String getName() {
    return name;
  }

  @Override
  public final List<Route> routes() {
    return routes;
  }

  @Override
  protected final RestChannelConsumer prepareRequest(RestRequest request, NodeClient client)
      throws IOException {
    Answer answer;
    try {
      answer = Guard.call(request::path, () -> preparation.of(request, client));
    } catch (OpenSearchException e) {
      throw Failures.retriable(e);
    }
    return channel -> {
      try {
        Guard.run(request::path, () -> answer.send(retriable(channel)));
      } catch (OpenSearchException e) {
        throw Failures.retriable(e);
      }
    };
  }

  /**
   * Returns a channel that adds the header {@code Retry-After} to responses with status 503 or 429,
   * because their causes are temporary.
   */
  static RestChannel retriable(RestChannel channel) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (arguments != null
              && arguments[0] instanceof RestResponse response
              && Failures.isTemporary(response.status())
              && !response.getHeaders().containsKey(Failures.RETRY_AFTER)) {
            response.addHeader(Failures.RETRY_AFTER, Failures.SECONDS);
          }
          try {
            return method.invoke(channel, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return (RestChannel)
        Proxy.newProxyInstance(
            Endpoint.class.getClassLoader(), new Class<?>[] {RestChannel.class}, handler);
  }
}

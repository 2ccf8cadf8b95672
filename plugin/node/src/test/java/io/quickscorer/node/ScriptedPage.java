// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands between a browser and a node, and adds a script to the node's page, which uses it as a
 * person would. The page's policy forbids such scripts, so it is left out.
 */
final class ScriptedPage implements AutoCloseable {
  private final URI node;
  private final String script;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  /**
   * @param script with its element
   */
  ScriptedPage(URI node, String script) throws IOException {
    this.node = node;
    this.script = script;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::forward);
    server.start();
  }

  /** Of a path of the node. */
  String address(String path) {
    InetSocketAddress at = server.getAddress();
    return "http://" + at.getAddress().getHostAddress() + ":" + at.getPort() + path;
  }

  private void forward(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    HttpRequest request =
        HttpRequest.newBuilder(node.resolve(exchange.getRequestURI()))
            .header("Content-Type", "application/json")
            .method(
                exchange.getRequestMethod(),
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
            .build();
    try (exchange) {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      byte[] text =
          answer.body().replace("</body>", script + "</body>").getBytes(StandardCharsets.UTF_8);
      exchange
          .getResponseHeaders()
          .set(
              "Content-Type",
              answer.headers().firstValue("Content-Type").orElse("application/json"));
      exchange.sendResponseHeaders(answer.statusCode(), text.length == 0 ? -1 : text.length);
      exchange.getResponseBody().write(text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    http.close();
  }
}

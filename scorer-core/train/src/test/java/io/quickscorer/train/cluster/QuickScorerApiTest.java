// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class QuickScorerApiTest {
  /** Else a model would be uploaded under what stands before the mark. */
  @Test
  void namesAreOnePartOfThePath() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().getRawPath());
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    server.start();
    try {
      QuickScorerApi api =
          new QuickScorerApi(
              new ClusterClient(URI.create("http://localhost:" + server.getAddress().getPort())));
      api.putAlias("ranker#2", "m");
      api.featureSet("my set?");
      assertEquals(
          List.of(
              "/_plugins/_quickscorer/aliases/ranker%232",
              "/_plugins/_quickscorer/feature_sets/my%20set%3F"),
          asked);
    } finally {
      server.stop(0);
    }
  }
}

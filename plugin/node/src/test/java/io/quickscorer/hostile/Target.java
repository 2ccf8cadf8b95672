// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.rights.HeaderRights;
import io.quickscorer.node.NodeClient;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A node of small heap under attack, which is started again when it dies. Thread-safe. */
final class Target implements AutoCloseable {
  /** An answer that takes longer counts as a hang. */
  static final Duration HANG = Duration.ofSeconds(30);

  private static final Duration START = Duration.ofMinutes(5);

  private final Path home;
  private final Path data;
  private final String heap;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private volatile RunningNode node;

  Target(Path home, Path data, String heap) throws IOException, InterruptedException {
    this.home = home;
    this.data = data;
    this.heap = heap;
    this.node = start();
  }

  private RunningNode start() throws IOException, InterruptedException {
    return RunningNode.start(
        home,
        data,
        List.of(
            "-Equickscorer.model.warm_up=0s",
            "-Equickscorer.model.plan_budget=0s",
            "-Equickscorer.model.retire_after=0s",
            "-Equickscorer.search.max_explain_time=5s",
            "-Equickscorer.rights.by_name=true"),
        Map.of("NODE_HEAP", heap),
        START);
  }

  NodeClient client() {
    return node.client();
  }

  /** What became of a request. */
  sealed interface Outcome {
    /** An answer with its reason, empty where it is none of ours. */
    record Answered(int status, String body) implements Outcome {}

    /** No answer within {@link #HANG}. */
    record Hung() implements Outcome {}

    /** The connection was lost. */
    record Lost(String how) implements Outcome {}
  }

  Outcome send(Shot shot) throws InterruptedException {
    HttpRequest.BodyPublisher body =
        shot.body().isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(shot.body());
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(node.address() + shot.path()))
              .timeout(HANG)
              .header("Content-Type", "application/json")
              .method(shot.method(), body);
      if (!shot.granted().isEmpty()) {
        request.header(HeaderRights.HEADER, shot.granted());
      }
      HttpResponse<byte[]> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      String reason =
          response.statusCode() < 400 ? "" : new String(response.body(), StandardCharsets.UTF_8);
      return new Outcome.Answered(response.statusCode(), reason);
    } catch (HttpTimeoutException e) {
      return new Outcome.Hung();
    } catch (IOException e) {
      return new Outcome.Lost(e.toString());
    }
  }

  /** Starts the node anew if it has died; returns whether it had. */
  synchronized boolean revive() throws IOException, InterruptedException {
    if (node.isAlive()) {
      return false;
    }
    restart();
    return true;
  }

  /** Stops the node, if it has not died, and starts it anew. */
  synchronized void restart() throws IOException, InterruptedException {
    node.close();
    node = start();
    awaitModels();
  }

  /**
   * A node that has just started says 503 as long as it recovers its index and loads its models.
   */
  private void awaitModels() {
    long end = System.nanoTime() + START.toNanos();
    String body = Exhaustion.DERIVED_ENGINES.search("docs", 1, 1, "\"model\": \"large\"").body();
    while (client().send("POST", "/docs/_search", body).isError() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  boolean isAlive() {
    return node.isAlive();
  }

  Path log() {
    return node.log();
  }

  /** Estimated bytes by breaker, without the parent. */
  Map<String, Long> breakers() {
    Map<String, Long> held = new TreeMap<>();
    JsonNode nodes = client().get("/_nodes/stats/breaker").get("nodes");
    for (Map.Entry<String, JsonNode> breaker :
        nodes.iterator().next().get("breakers").properties()) {
      if (!breaker.getKey().equals("parent")) {
        held.put(breaker.getKey(), breaker.getValue().get("estimated_size_in_bytes").asLong());
      }
    }
    return held;
  }

  /** Bytes of the heap in use after a full collection. */
  long heapAfterCollection() throws IOException, InterruptedException {
    Process collect =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(node.pid()),
                "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!collect.waitFor(1, TimeUnit.MINUTES) || collect.exitValue() != 0) {
      throw new IOException("jcmd could not collect the node's garbage");
    }
    JsonNode nodes = client().get("/_nodes/stats/jvm").get("nodes");
    return nodes.iterator().next().at("/jvm/mem/heap_used_in_bytes").asLong();
  }

  long maxHeap() {
    JsonNode nodes = client().get("/_nodes/stats/jvm").get("nodes");
    return nodes.iterator().next().at("/jvm/mem/heap_max_in_bytes").asLong();
  }

  @Override
  public void close() {
    node.close();
    http.close();
  }
}

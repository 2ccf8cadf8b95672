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
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A node of small heap under attack, which is started again when it dies. Thread-safe. */
final class Target implements AutoCloseable {
  /**
   * A request hangs if it has no answer after so long, and after so much processor time of the
   * node: on a machine that has much else to do, the node alone knows how long that is.
   */
  private static final Duration HANG = Duration.ofSeconds(30);

  /** A request hangs too if it has no answer after so long, whatever the node did: nothing. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(10);

  private static final Duration POLL = Duration.ofSeconds(1);

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

    /**
     * No answer, for so long.
     *
     * @param used of that, processor time of the node
     */
    record Hung(Duration waited, Duration used) implements Outcome {}

    /** The connection was lost. */
    record Lost(String how) implements Outcome {}
  }

  Outcome send(Shot shot) throws InterruptedException {
    HttpRequest.BodyPublisher body =
        shot.body().isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(shot.body());
    RunningNode asked = node;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(asked.address() + shot.path()))
            .header("Content-Type", "application/json")
            .method(shot.method(), body);
    if (!shot.granted().isEmpty()) {
      request.header(HeaderRights.HEADER, shot.granted());
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    try {
      return outcome(answer, asked);
    } finally {
      answer.cancel(true); // Of no effect where it is there.
    }
  }

  private static Outcome outcome(CompletableFuture<HttpResponse<byte[]>> answer, RunningNode asked)
      throws InterruptedException {
    long start = System.nanoTime();
    Duration before = null;
    Duration used = Duration.ZERO;
    while (true) {
      try {
        HttpResponse<byte[]> response = answer.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
        String reason =
            response.statusCode() < 400 ? "" : new String(response.body(), StandardCharsets.UTF_8);
        return new Outcome.Answered(response.statusCode(), reason);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof IOException)) {
          throw new IllegalStateException(e);
        }
        return new Outcome.Lost(e.getCause().toString());
      } catch (TimeoutException e) {
        // Of requests that take a while alone: asking takes a while itself.
        Duration now = processorTime(asked);
        before = before == null ? now : before;
        used = now == null ? used : now.minus(before);
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        boolean hangs = waited.compareTo(HANG) >= 0 && used.compareTo(HANG) >= 0;
        if (hangs || waited.compareTo(MAX_WAIT) >= 0) {
          return new Outcome.Hung(waited, used);
        }
      }
    }
  }

  /** Null where nobody can tell, such as of a node, or one of its threads, that has just died. */
  private static @Nullable Duration processorTime(RunningNode of) {
    try {
      return of.processorTime();
    } catch (UnsupportedOperationException | DirectoryIteratorException e) {
      return null;
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
    if (!collect.waitFor(MAX_WAIT.toMinutes(), TimeUnit.MINUTES) || collect.exitValue() != 0) {
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

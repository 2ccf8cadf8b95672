// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.rights.HeaderRights;
import io.quickscorer.node.NodeClient;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A node of small heap under attack, which is started again when it dies. */
final class Target implements AutoCloseable {
  /** The status of a request without an answer. */
  static final int HUNG = -1;

  /** The status where the connection was lost. */
  static final int LOST = -2;

  /**
   * A request hangs if it has no answer after so long, and after so much processor time of the node
   * for each request in flight: on a machine that has much else to do, the node alone knows how
   * long that is.
   */
  private static final Duration HANG = Duration.ofSeconds(15);

  /** A request hangs too if it has no answer after so long, whatever the node did: nothing. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(5);

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration START = Duration.ofMinutes(15);

  /** What is stored and ends a node does so within so long after its start. */
  private static final Duration LOOP = Duration.ofSeconds(20);

  private final Path home;
  private final Path data;
  private final String heap;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger inFlight = new AtomicInteger();
  private RunningNode node;
  private Gauge gauge;

  /**
   * @param folder an existing one, for data
   */
  Target(Path home, Path folder, String heap) throws IOException, InterruptedException {
    this.home = home;
    this.data = Files.createDirectory(folder.resolve("data"));
    this.heap = heap;
    start();
  }

  private void start() throws IOException, InterruptedException {
    node =
        RunningNode.start(
            home,
            data,
            List.of(
                "-Equickscorer.model.warm_up=0s",
                "-Equickscorer.model.retire_after=0s",
                "-Equickscorer.search.max_explain_time=5s",
                "-Equickscorer.rights.by_name=true"),
            Map.of("NODE_HEAP", heap),
            START);
    gauge = new Gauge(node.pid());
  }

  NodeClient client() {
    return node.client();
  }

  /**
   * A response, or why there is none.
   *
   * @param status or {@link #HUNG} or {@link #LOST}
   * @param sent bytes of the request's body
   */
  record Answer(int status, String body, long sent) {}

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  Answer send(Shot shot) throws InterruptedException {
    byte[] body = shot.body().getBytes(StandardCharsets.UTF_8);
    return send(shot.method(), shot.path(), "application/json", body, shot.granted());
  }

  Answer send(String method, String path, String type, byte[] body, String... granted)
      throws InterruptedException {
    HttpRequest.Builder request;
    try {
      request =
          HttpRequest.newBuilder(URI.create(node.address() + path))
              .header("Content-Type", type)
              .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    } catch (IllegalArgumentException e) {
      return new Answer(400, "no URI or method", 0);
    }
    if (granted.length > 0 && !granted[0].isEmpty()) {
      request.header(HeaderRights.HEADER, granted[0]);
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    inFlight.incrementAndGet();
    try {
      return answer(answer, body.length);
    } finally {
      inFlight.decrementAndGet();
      answer.cancel(true); // Of no effect where it is there.
    }
  }

  private Answer answer(CompletableFuture<HttpResponse<byte[]>> answer, long sent)
      throws InterruptedException {
    long start = System.nanoTime();
    double before = cpu();
    int most = 1;
    while (true) {
      most = Math.max(most, inFlight.get());
      try {
        HttpResponse<byte[]> response = answer.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
        String text = new String(response.body(), StandardCharsets.UTF_8);
        return new Answer(response.statusCode(), text, sent);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof IOException)) {
          throw new IllegalStateException(e);
        }
        // A node that has lost its memory ends a moment later.
        for (int i = 0; i < 20 && isAlive(); i++) {
          LockSupport.parkNanos(POLL.toNanos() / 10);
        }
        return new Answer(LOST, e.getCause().toString(), sent);
      } catch (TimeoutException e) {
        double used = cpu() - before;
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        boolean hangs = waited.compareTo(HANG) >= 0 && used >= most * HANG.toSeconds();
        if (hangs || waited.compareTo(MAX_WAIT) >= 0) {
          return new Answer(HUNG, waited + " and " + used + " s of processor time", sent);
        }
      }
    }
  }

  /** Seconds that the node's threads have used, those of the JIT compiler left out; 0 if dead. */
  double cpu() {
    try {
      return node.processorTime().toNanos() / 1e9;
    } catch (UnsupportedOperationException | DirectoryIteratorException e) {
      return 0;
    }
  }

  /** Bytes that the node's threads have allocated; 0 if it cannot tell. */
  long allocated() {
    try {
      return gauge.allocated();
    } catch (RuntimeException e) {
      return 0; // It has died.
    }
  }

  /**
   * Makes the node serve after a fault: one that has died starts anew, and one that hangs is killed
   * before. Returns whether it dies of its data again and again: it is empty then.
   *
   * @param stored whether the fault may be in its data
   */
  boolean recover(String symptom, boolean stored) throws IOException, InterruptedException {
    if (node.isAlive() && !symptom.equals("HANG")) {
      return false;
    }
    boolean died = stored && !node.isAlive();
    kill();
    boolean loops = false;
    try {
      start();
      awaitModels();
      long end = System.nanoTime() + LOOP.toNanos();
      while (died && node.isAlive() && System.nanoTime() < end) {
        LockSupport.parkNanos(POLL.toNanos());
      }
      loops = !node.isAlive();
    } catch (IOException e) {
      loops = true; // It does not even start.
    }
    if (loops) {
      kill();
      delete(data);
      Files.createDirectory(data);
      start();
    }
    return loops;
  }

  private void kill() throws IOException, InterruptedException {
    node.kill();
    gauge.close();
  }

  /** Stops the node, if it has not died, and starts it anew. */
  void restart() throws IOException, InterruptedException {
    gauge.close();
    node.close();
    start();
    awaitModels();
  }

  /**
   * A node that has just started says 503 as long as it recovers its index and loads its models.
   */
  private void awaitModels() {
    long end = System.nanoTime() + START.toNanos();
    String body = "{\"rescore\": {\"window_size\": 1, \"quickscorer\": {\"model\": \"large\"}}}";
    while (node.isAlive() && System.nanoTime() < end && !serves(body)) {
      LockSupport.parkNanos(POLL.toNanos() / 4);
    }
  }

  private boolean serves(String body) {
    try {
      return !client().send("POST", "/docs/_search", body).isError();
    } catch (UncheckedIOException e) {
      return false; // It has died, which is seen next.
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
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
  long heapAfterCollection() {
    return gauge.heapAfterCollection();
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

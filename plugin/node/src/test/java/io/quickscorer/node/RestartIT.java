// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A node that starts with models: when it is ready, when it answers the first search by the model
 * that comes last, and what searches without a model take meanwhile. {@code
 * -Drestart.models=1,14,200} prints the figures of plugin/docs/restart.md; with {@code
 * -Drestart.large=true} the models are large and of several kinds.
 */
final class RestartIT {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final String MODELS = ".quickscorer-models";
  private static final boolean LARGE = Boolean.getBoolean("restart.large");
  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final String PLAIN = "{\"size\": 10, \"query\": {\"match_all\": {}}}";

  @TempDir private Path data;

  @Test
  void searchesAreRightFromTheStart() throws Exception {
    List<String> table = new ArrayList<>();
    for (String models : System.getProperty("restart.models", "3").split(",")) {
      table.add(restart(Integer.parseInt(models)));
    }
    System.out.println(
        "models | HTTP answers | ready | first rescored search | plain | plain later");
    table.forEach(System.out::println);
  }

  /** Times are counted from the start of the process; those of plain searches are medians. */
  private String restart(int models) throws Exception {
    Path folder = Files.createDirectory(data.resolve(Integer.toString(models)));
    try (RunningNode node = SharedNode.another(folder)) {
      prepare(node.client(), models);
    }
    long start = System.nanoTime();
    try (RunningNode node = SharedNode.another(folder);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      NodeClient client = node.client();
      final long http = System.nanoTime() - start;
      CountDownLatch ready = new CountDownLatch(1);
      // Model 0 is the oldest, and no alias stands for it: nothing but the search calls for it.
      Future<Long> rescored =
          threads.submit(
              () -> {
                assertEquals(NumberedTrees.scores(0, trees(0)), scores(client, "m0"));
                return System.nanoTime() - start;
              });
      Future<List<Long>> plain =
          threads.submit(
              () -> {
                List<Long> nanos = new ArrayList<>();
                do {
                  nanos.add(plain(client));
                } while (ready.getCount() > 0);
                return nanos;
              });
      awaitReady(client, models);
      final long readyAt = System.nanoTime() - start;
      ready.countDown();
      final long first = rescored.get();
      List<Long> later = new ArrayList<>();
      for (int i = 0; i < plain.get().size(); i++) {
        later.add(plain(client));
      }
      for (int model : List.of(models / 2, models - 1)) {
        assertEquals(NumberedTrees.scores(model, trees(model)), scores(client, "m" + model));
      }
      return String.format(
          Locale.ROOT,
          "%d | %.1f s | %.1f s | %.1f s | %.1f ms | %.1f ms",
          models,
          http / 1e9,
          readyAt / 1e9,
          first / 1e9,
          median(plain.get()) / 1e6,
          median(later) / 1e6);
    }
  }

  private static void prepare(NodeClient client, int models) {
    NumberedTrees.createIndex(client, "docs");
    for (int model = 0; model < models; model++) {
      client.put(ROOT + "/models/m" + model + "?feature_set=p", file(model));
    }
    client.put(ROOT + "/aliases/live", "{\"model\": \"m" + (models - 1) + "\"}");
  }

  /**
   * Large models have as many nodes as 500 trees of 64 leaves or 300 of depth 6; one has 100 MB.
   */
  private static int trees(int model) {
    if (!LARGE) {
      return 50;
    }
    return model == 0 ? 6_300 : model % 2 == 0 ? 150 : 250;
  }

  private static String file(int model) {
    return LARGE && model % 2 == 1
        ? NumberedTrees.lightGbm(model, trees(model))
        : NumberedTrees.file(model, trees(model));
  }

  /** Until then the answer names what is missing. */
  private static void awaitReady(NodeClient client, int models) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      NodeClient.Answer answer = client.send("GET", ROOT + "/ready?local=true", "");
      JsonNode node = answer.body().get("nodes").iterator().next();
      if (answer.status() == 200) {
        assertEquals(models, node.get("loaded").asInt(), node::toString);
        return;
      }
      assertEquals(503, answer.status());
      assertTrue(node.has("waiting_for") || !node.get("loading").isEmpty(), node::toString);
      assertTrue(System.nanoTime() < end, node::toString);
    }
  }

  private static long plain(NodeClient client) {
    long start = System.nanoTime();
    client.send("POST", "/docs/_search", PLAIN);
    return System.nanoTime() - start;
  }

  private static List<Float> scores(NodeClient client, String model) {
    NodeClient.Answer answer = NumberedTrees.search(client, "docs", model);
    // Until the documents' shard is there. For the models' a search waits.
    for (long end = System.nanoTime() + LIMIT.toNanos();
        answer.status() == 503 && System.nanoTime() < end; ) {
      assertFalse(answer.body().toString().contains(MODELS), () -> "not waited for: " + MODELS);
      answer = NumberedTrees.search(client, "docs", model);
    }
    JsonNode found = answer.body();
    assertEquals(200, answer.status(), found::toString);
    return NumberedTrees.scores(found);
  }

  private static double median(List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}

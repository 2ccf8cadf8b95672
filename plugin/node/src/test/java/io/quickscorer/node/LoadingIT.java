// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What searches without a model take while a node loads its models, and afterwards, beside the same
 * of a node that has none: both are started by turns, and get as many searches, at the same rate.
 * {@code -Dloading.rounds=5} prints the figures of plugin/docs/restart.md.
 */
@EnabledIfSystemProperty(named = "loading.rounds", matches = "\\d+")
final class LoadingIT {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final int ROUNDS = Integer.getInteger("loading.rounds", 1);
  private static final int MODELS = Integer.getInteger("loading.models", 200);
  private static final int TREES = 50;
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final String PLAIN = "{\"size\": 10, \"query\": {\"match_all\": {}}}";

  /** How many searches there are between two looks at whether the node is ready. */
  private static final int LOOK_EVERY = 10;

  private enum Window {
    WITHOUT_MODELS,
    WITHOUT_MODELS_LATER,
    WHILE_LOADING,
    AFTER_LOADING
  }

  @TempDir private Path data;
  private final Map<Window, List<Long>> nanos = new EnumMap<>(Window.class);

  @Test
  void plainSearchesWhileModelsAreLoaded() throws Exception {
    for (Window window : Window.values()) {
      nanos.put(window, new ArrayList<>());
    }
    Path with = prepared("with", MODELS);
    Path without = prepared("without", 0);
    for (int round = 1; round <= ROUNDS; round++) {
      int searches;
      try (RunningNode node = started(with)) {
        searches = search(node.client(), Window.WHILE_LOADING, 0);
        search(node.client(), Window.AFTER_LOADING, searches);
      }
      try (RunningNode node = started(without)) {
        search(node.client(), Window.WITHOUT_MODELS, searches);
        search(node.client(), Window.WITHOUT_MODELS_LATER, searches);
      }
      System.out.printf(Locale.ROOT, "round %d of %d: %d searches each%n", round, ROUNDS, searches);
      System.out.println("searches | number | median | 90 % | 99 %, in ms, so far");
      nanos.forEach((window, all) -> System.out.println(line(window, all)));
    }
  }

  private Path prepared(String name, int models) throws Exception {
    Path folder = Files.createDirectory(data.resolve(name));
    try (RunningNode node = SharedNode.another(folder, Map.of())) {
      NumberedTrees.createIndex(node.client(), "docs");
      for (int model = 0; model < models; model++) {
        String path = ROOT + "/models/m" + model + "?feature_set=p";
        node.client().put(path, NumberedTrees.file(model, TREES));
      }
    }
    return folder;
  }

  private static RunningNode started(Path folder) throws Exception {
    RunningNode node = SharedNode.another(folder, Map.of());
    node.client().get("/_cluster/health/docs?wait_for_status=yellow&timeout=5m");
    return node;
  }

  /**
   * Searches at a fixed rate.
   *
   * @param searches how many; 0 for until the node is ready
   * @return how many it were
   */
  private int search(NodeClient client, Window window, int searches) {
    List<Long> all = nanos.get(window);
    long start = System.nanoTime();
    boolean loading = searches == 0;
    int done = 0;
    while (loading || done < searches) {
      long wait = start + done * INTERVAL_NANOS - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      }
      long sent = System.nanoTime();
      NodeClient.Answer answer = client.send("POST", "/docs/_search", PLAIN);
      all.add(System.nanoTime() - sent);
      assertEquals(10, answer.body().at("/hits/hits").size(), answer.body()::toString);
      done++;
      if (done % LOOK_EVERY == 0) {
        int ready = client.send("GET", ROOT + "/ready?local=true", "").status();
        loading &= ready != 200;
      }
    }
    return done;
  }

  private static String line(Window window, List<Long> all) {
    List<Long> sorted = new ArrayList<>(all);
    Collections.sort(sorted);
    return String.format(
        Locale.ROOT,
        "%s | %d | %.1f | %.1f | %.1f",
        window.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        sorted.size(),
        quantile(sorted, 0.5),
        quantile(sorted, 0.9),
        quantile(sorted, 0.99));
  }

  private static double quantile(List<Long> sorted, double share) {
    return sorted.get((int) (share * (sorted.size() - 1))) / 1e6;
  }
}

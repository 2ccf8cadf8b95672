// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import io.quickscorer.node.RunningNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * 16 clients search an index of six shards on three nodes while models are replaced and an alias
 * moves: no search fails, none is scored by two versions or wrongly, and the heap after a
 * collection does not grow. {@code -Dsoak.searches=1000000} or {@code -Dsoak.minutes=30} for that
 * many, {@code -Dsoak.output=…} for the folder of the curves.
 */
@EnabledIfSystemProperty(named = "soak", matches = "true")
final class SoakIT {
  private static final long SEARCHES = Long.getLong("soak.searches", 10_000);
  private static final Duration TIME = Duration.ofMinutes(Long.getLong("soak.minutes", 0));
  private static final Duration EVERY = Duration.ofSeconds(Long.getLong("soak.sample", 20));
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(500);
  private static final Path OUTPUT =
      Path.of(System.getProperty("soak.output", "target/soak")).toAbsolutePath();
  private static final long SEED =
      Long.parseLong(System.getProperty("tests.seed", Long.toString(System.nanoTime())));
  private static final int CLIENTS = 16;
  private static final int SHARDS = 6;
  private static final int SIZE = 24;
  private static final int TREES = 10;
  private static final List<String> TARGETS = List.of("left", "right");

  @TempDir private Path folder;

  private static void start(RealCluster cluster) throws Exception {
    for (int node = 0; node < RealCluster.NODES; node++) {
      cluster.start(node, RunningNode.home());
    }
    NodeClient client = cluster.any();
    SearchLoad.createDocuments(client, SHARDS);
    for (int t = 0; t < TARGETS.size(); t++) {
      client.put(Changing.path(TARGETS.get(t), "p"), NumberedTrees.file(-1 - t, TREES));
    }
    client.put(Changing.path("fixed", "p"), NumberedTrees.file(0, TREES));
  }

  private static void search(RealCluster cluster, SearchLoad load, List<Changing> changing)
      throws Exception {
    SoakCurves curves = new SoakCurves(cluster);
    long end = System.nanoTime() + TIME.toNanos();
    while (load.searches() < SEARCHES || System.nanoTime() < end) {
      Campaign.pause(EVERY);
      int changes = changing.stream().mapToInt(Changing::acknowledged).sum();
      System.out.println(curves.sample(load, changes));
      assertEquals(List.of(), load.wrong());
      assertEquals(Map.of(), load.failed());
    }
    curves.write(OUTPUT);
    curves.requireFlatHeap();
  }

  @Test
  void searchesAreRightAndNoneFails() throws Exception {
    System.out.printf(Locale.ROOT, "SoakIT: -Dtests.seed=%d%n", SEED);
    AtomicBoolean over = new AtomicBoolean();
    try (RealCluster cluster = new RealCluster(folder, "-Equickscorer.model.warm_up=0s");
        ExecutorService threads = Executors.newCachedThreadPool();
        AutoCloseable ending = () -> over.set(true)) {
      start(cluster);
      List<Changing> changing =
          List.of(
              Changing.model(cluster, "one", TREES),
              Changing.model(cluster, "two", TREES),
              Changing.alias(cluster, "alias", TARGETS, TREES));
      changing.forEach(Changing::create);
      cluster.awaitGreen();
      List<SearchLoad.Target> targets =
          List.of(
              SearchLoad.Target.fixed("fixed", TREES),
              SearchLoad.Target.moving("one", TREES, changing.get(0).last()),
              SearchLoad.Target.moving("two", TREES, changing.get(1).last()),
              SearchLoad.Target.alias("alias", TREES, TARGETS.size()));
      List<Future<?>> writers =
          changing.stream()
              .<Future<?>>map(each -> threads.submit(() -> each.change(over, BETWEEN_CHANGES)))
              .toList();
      try (SearchLoad load = new SearchLoad(cluster, targets, CLIENTS, SEED, SIZE, Duration.ZERO)) {
        search(cluster, load, changing);
        load.close();
        assertEquals(List.of(), load.wrong());
        assertEquals(Map.of(), load.failed());
        System.out.printf(
            Locale.ROOT, "%d searches, 0 failed, 0 mixed or wrong%n", load.searches());
      }
      over.set(true);
      for (Future<?> writer : writers) {
        writer.get();
      }
      changing.forEach(Changing::check);
      changing.forEach(each -> System.out.println("  not acknowledged: " + each.refusals()));
    }
  }
}

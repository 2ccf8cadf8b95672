// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import io.quickscorer.node.RunningNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes of a cluster of three are killed, the elected manager in at least half of the cases, while
 * clients search, upload models and move an alias: what was acknowledged is there, whole and the
 * same on all nodes, and no search gets a wrong score. {@code -Dsoak.kills=200} for that many.
 */
@EnabledIfSystemProperty(named = "soak", matches = "true")
final class KilledClusterIT {
  private static final int KILLS = Integer.getInteger("soak.kills", 4);
  private static final long SEED =
      Long.parseLong(System.getProperty("tests.seed", Long.toString(System.nanoTime())));
  private static final long MAX_DELAY = Duration.ofMillis(1500).toNanos();
  private static final int TREES = 40;
  private static final int CLIENTS = 2;

  /** Two models whose scores differ, for the alias to move between. */
  private static final List<String> TARGETS = List.of("left", "right");

  @TempDir private Path folder;
  private final SplittableRandom random = new SplittableRandom(SEED);

  private static void start(RealCluster cluster) throws Exception {
    for (int node = 0; node < RealCluster.NODES; node++) {
      cluster.start(node, RunningNode.home());
    }
    NodeClient client = cluster.any();
    SearchLoad.createDocuments(client);
    for (int t = 0; t < TARGETS.size(); t++) {
      client.put(Changing.path(TARGETS.get(t), "p"), NumberedTrees.file(-1 - t, TREES));
    }
    client.put(Changing.path("fixed", "p"), NumberedTrees.file(0, TREES));
  }

  private int victim(RealCluster cluster) {
    if (random.nextBoolean()) {
      String manager =
          cluster.any().get("/_cat/cluster_manager?format=json").at("/0/node").asString();
      for (int node = 0; node < RealCluster.NODES; node++) {
        if (RealCluster.name(node).equals(manager)) {
          return node;
        }
      }
    }
    return random.nextInt(RealCluster.NODES);
  }

  private void pause() {
    // At any moment of any operation: this wait is the test's random input.
    LockSupport.parkNanos(random.nextLong(MAX_DELAY));
  }

  /** Kills a node and starts it again while the writers write. */
  private void killOne(RealCluster cluster, List<Changing> changing, ExecutorService threads)
      throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> writers = new ArrayList<>();
    int node = victim(cluster);
    try {
      changing.forEach(each -> writers.add(threads.submit(() -> each.change(over))));
      pause();
      cluster.kill(node);
      pause();
      cluster.start(node, RunningNode.home());
    } finally {
      over.set(true);
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    cluster.awaitGreen();
  }

  @Test
  void whatWasAcknowledgedIsThereAfterKills() throws Exception {
    System.out.printf(Locale.ROOT, "KilledClusterIT: -Dtests.seed=%d%n", SEED);
    try (RealCluster cluster =
        new RealCluster(
            folder, "-Equickscorer.model.plan_budget=0s", "-Equickscorer.model.warm_up=0s")) {
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
              new SearchLoad.Target("one", TREES, changing.getFirst().last()));
      try (ExecutorService threads = Executors.newFixedThreadPool(changing.size());
          SearchLoad load = new SearchLoad(cluster, targets, CLIENTS, SEED)) {
        for (int kill = 0; kill < KILLS; kill++) {
          killOne(cluster, changing, threads);
          changing.forEach(Changing::check);
          cluster.requireSameModels("fixed", "left", "one", "right", "two");
          assertEquals(List.of(), load.wrong());
        }
        load.close();
        assertEquals(List.of(), load.wrong());
        System.out.printf(
            Locale.ROOT,
            "%d kills, %d changes acknowledged, 0 lost; %d searches, 0 wrong, %d failed%n",
            KILLS,
            changing.stream().mapToInt(Changing::acknowledged).sum(),
            load.searches(),
            load.failures());
        changing.forEach(each -> System.out.println("  not acknowledged: " + each.refusals()));
        System.out.println("  failed: " + load.failed());
      }
    }
  }
}

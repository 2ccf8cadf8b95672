// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import io.quickscorer.node.RunningNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Three nodes are upgraded one by one from a former build of the plugin or a former version of the
 * server, or restarted one by one, while clients search and upload: no search fails, each score is
 * that of one version, and what was acknowledged is there at the end, the same on all nodes. A
 * build that could not read the models may not come back then.
 */
@EnabledIfSystemProperty(named = "soak", matches = "true")
final class RollingUpgradeIT {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final int CLIENTS = 2;
  private static final int SMALL = 5;
  private static final int LARGE = 60;
  private static final int MIN_UPLOADS = 5;
  private static final long SEED =
      Long.parseLong(System.getProperty("tests.seed", Long.toString(System.nanoTime())));

  /** Kinds of features that a former build knows; each goes over the wire in its own form. */
  private static final String KINDS =
      """
      {"features": [
        {"name": "p", "type": "field", "field": "p"},
        {"name": "first", "type": "first_pass_score"},
        {"name": "words", "type": "query", "query": {"match": {"t": "{{q}}"}}},
        {"name": "given", "type": "param", "param": "n", "default": 3},
        {"name": "hash", "type": "field", "field": "k", "hash": 16},
        {"name": "category", "type": "field", "field": "k", "categories": ["k1", "k3"]},
        {"name": "far", "type": "field", "field": "g", "distance_from": "here", "unit": "km"},
        {"name": "df", "type": "term_statistics", "field": "t", "text": "{{q}}",
         "statistic": "df", "aggregate": "max"},
        {"name": "sum", "type": "expression", "expression": "p * 2 + params.n + field.p + first",
         "normalize": [{"clip": {"min": 0, "max": 200}}]}
      ]}
      """;

  @TempDir private Path folder;

  /** Score and features of each document, as a node shows them. */
  private static Map<String, String> logged(RealCluster cluster, int node) {
    JsonNode hits =
        cluster
            .client(node)
            .post(
                "/" + SearchLoad.INDEX + "/_search",
                SearchLoad.body(
                    "\"model\": \"all\", \"log\": true, \"params\": {\"q\": \"word3\", \"n\": 4,"
                        + " \"here\": {\"lat\": 48.2, \"lon\": 11.6}}"))
            .at("/hits/hits");
    Map<String, String> shown = new TreeMap<>();
    hits.forEach(
        hit -> shown.put(hit.get("_id").asString(), hit.get("_score") + " " + hit.get("fields")));
    assertEquals(NumberedTrees.VALUES, shown.size());
    return shown;
  }

  private static void start(RealCluster cluster, Path former) throws Exception {
    for (int node = 0; node < RealCluster.NODES; node++) {
      cluster.start(node, former);
    }
    NodeClient client = cluster.any();
    SearchLoad.createDocuments(client, RealCluster.NODES);
    client.put(ROOT + "/feature_sets/kinds", KINDS);
    client.put(Changing.path("fixed", "p"), NumberedTrees.file(0, LARGE));
    client.put(Changing.path("all", "kinds"), NumberedTrees.file(0, SMALL));
    client.put(ROOT + "/aliases/live", "{\"model\": \"fixed\"}");
  }

  /** One node after the other; after each all three say the same of all kinds of features. */
  private static void upgrade(RealCluster cluster, SearchLoad load) throws Exception {
    Map<String, String> before = logged(cluster, 0);
    RollingUpgrade upgrade = new RollingUpgrade(cluster);
    upgrade.begin();
    for (int node : upgrade.order()) {
      upgrade.upgrade(node, RunningNode.home());
      for (int asked = 0; asked < RealCluster.NODES; asked++) {
        assertEquals(before, logged(cluster, asked), "after n" + node + ", of n" + asked);
      }
      assertEquals(List.of(), load.wrong());
      assertEquals(Map.of(), load.failed());
      System.out.printf(Locale.ROOT, "n%d upgraded; %d searches%n", node, load.searches());
    }
    upgrade.end();
  }

  /**
   * The cluster goes on without a node that has the former build again, and takes it back later.
   */
  private static void requireNoWayBack(RealCluster cluster, Path former) throws Exception {
    int node = RealCluster.NODES - 1;
    cluster.stop(node);
    cluster.start(node, former);
    Set<String> others = new TreeSet<>(Set.of(RealCluster.name(0), RealCluster.name(1)));
    assertEquals(others, cluster.members(0));
    assertTrue(
        cluster.log(node).contains("has an older build of the quickscorer plugin"),
        "no reason in its log");
    cluster.stop(node);
    cluster.start(node, RunningNode.home());
    cluster.awaitGreen();
  }

  private static void awaitUploads(Changing moving, Future<?> uploading) throws Exception {
    int upgraded = moving.acknowledged();
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (moving.acknowledged() < upgraded + MIN_UPLOADS && System.nanoTime() < end) {
      if (uploading.isDone()) {
        uploading.get();
      }
      Thread.onSpinWait();
    }
    assertTrue(
        moving.acknowledged() >= upgraded + MIN_UPLOADS, () -> "no uploads: " + moving.refusals());
  }

  @Test
  void searchesAreRightWhileNodesAreUpgraded() throws Exception {
    System.out.printf(Locale.ROOT, "RollingUpgradeIT: -Dtests.seed=%d%n", SEED);
    Path former = FormerNode.home(folder);
    AtomicBoolean over = new AtomicBoolean();
    try (RealCluster cluster = new RealCluster(folder);
        ExecutorService uploads = Executors.newSingleThreadExecutor();
        AutoCloseable ending = () -> over.set(true)) {
      start(cluster, former);
      Changing moving = Changing.model(cluster, "moving", SMALL);
      moving.create();
      cluster.awaitGreen();
      final Set<String> wire = cluster.wireVersions();
      final Set<String> servers = cluster.serverVersions();
      List<SearchLoad.Target> targets =
          List.of(
              SearchLoad.Target.fixed("fixed", LARGE),
              SearchLoad.Target.fixed("live", LARGE),
              SearchLoad.Target.moving("moving", SMALL, moving.last()));
      try (SearchLoad load = new SearchLoad(cluster, targets, CLIENTS, SEED)) {
        Future<?> uploading = uploads.submit(() -> moving.change(over));
        upgrade(cluster, load);
        awaitUploads(moving, uploading);
        over.set(true);
        uploading.get();
        load.close();
        assertEquals(List.of(), load.wrong());
        System.out.printf(
            Locale.ROOT,
            "OpenSearch %s to %s, wire %s to %s: %d searches, 0 wrong, failed: %s; %d uploads"
                + " acknowledged, others: %s%n",
            servers,
            cluster.serverVersions(),
            wire,
            cluster.wireVersions(),
            load.searches(),
            load.failed(),
            moving.acknowledged(),
            moving.refusals());
        assertEquals(Map.of(), load.failed());
      }
      moving.check();
      cluster.requireSameModels("all", "fixed", "moving");
      if (!wire.equals(cluster.wireVersions())) {
        requireNoWayBack(cluster, former);
        cluster.requireSameModels("all", "fixed", "moving");
      }
    }
  }
}

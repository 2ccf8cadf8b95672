// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.fail;

import io.quickscorer.node.NodeClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Upgrades the nodes of a cluster one by one, by the requests of {@code docs/upgrades.md} and in
 * their order, so that no search fails: a node is stopped when no client sends to it, when it has
 * no shard, and when each search has ended that may have met a shard there. Not for several
 * threads.
 */
final class RollingUpgrade {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofMillis(500);

  private final RealCluster cluster;

  RollingUpgrade(RealCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Before the first node. Primaries stay on nodes of the former version while they may: the server
   * puts no replica on an older node than its primary's, so that an older node whose replica had
   * its primary on a newer one could not be emptied.
   */
  void begin() {
    cluster.awaitGreen();
    set("cluster.routing.rebalance.enable", "replicas");
  }

  /**
   * All nodes in the order in which they are upgraded: the elected manager last, so that it is
   * elected anew once.
   */
  List<Integer> order() {
    int manager = cluster.manager();
    return Stream.concat(
            IntStream.range(0, RealCluster.NODES).boxed().filter(node -> node != manager),
            Stream.of(manager))
        .toList();
  }

  /**
   * Upgrades a node.
   *
   * @param home the new one
   */
  void upgrade(int node, Path home) throws Exception {
    cluster.withdraw(node);
    drain(node);
    cluster.stop(node);
    cluster.start(node, home);
    awaitReady(node);
    set("cluster.routing.allocation.exclude._name", null);
    cluster.awaitGreen();
    cluster.admit(node);
  }

  /** After the last node. */
  void end() {
    set("cluster.routing.rebalance.enable", null);
    cluster.awaitGreen();
  }

  private void drain(int node) {
    String name = RealCluster.name(node);
    set("cluster.routing.allocation.exclude._name", name);
    await(
        () -> shards(name) == 0, () -> cluster.any().get("/_cat/shards?format=json&v").toString());
    Set<String> met = searches();
    await(
        () -> Collections.disjoint(met, searches()), () -> "searches are still under way: " + met);
  }

  private void set(String setting, @Nullable String value) {
    String quoted = value == null ? "null" : "\"" + value + "\"";
    cluster
        .any()
        .put("/_cluster/settings", "{\"persistent\": {\"" + setting + "\": " + quoted + "}}");
  }

  private int shards(String node) {
    return cluster
        .any()
        .get("/_cat/allocation/" + node + "?format=json&h=shards")
        .at("/0/shards")
        .asInt();
  }

  /** Identifiers of the searches that are under way on any node. */
  private Set<String> searches() {
    Set<String> searches = new TreeSet<>();
    JsonNode tasks =
        cluster.any().get("/_tasks?actions=indices:data/read/search&group_by=none").get("tasks");
    tasks.forEach(
        task -> searches.add(task.get("node").asString() + ":" + task.get("id").asLong()));
    return searches;
  }

  private void awaitReady(int node) {
    String path = "/_plugins/_quickscorer/ready?local=true";
    Supplier<NodeClient.Answer> asked = () -> cluster.client(node).send("GET", path, "");
    await(() -> !asked.get().isError(), () -> asked.get().body().toString());
  }

  private static void await(BooleanSupplier reached, Supplier<String> otherwise) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > end) {
        fail(otherwise.get());
      }
      Campaign.pause(POLL);
    }
  }
}

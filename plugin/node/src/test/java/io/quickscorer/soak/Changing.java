// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * A name that one writer changes again and again. What it stands for is the change that was
 * acknowledged last, or any that was tried since.
 */
final class Changing {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final RealCluster cluster;
  private final String name;
  private final String path;
  private final LongFunction<String> bodies;
  private final LongUnaryOperator versions;
  private final int trees;
  private final List<Long> possible = new ArrayList<>(List.of(0L));
  private final AtomicLong last = new AtomicLong();
  private long marked;
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Map<String, Integer> refusals = new ConcurrentSkipListMap<>();

  private Changing(
      RealCluster cluster,
      String name,
      String path,
      LongFunction<String> bodies,
      LongUnaryOperator versions,
      int trees) {
    this.cluster = cluster;
    this.name = name;
    this.path = path;
    this.bodies = bodies;
    this.versions = versions;
    this.trees = trees;
  }

  /** A model; each change uploads its next version. */
  static Changing model(RealCluster cluster, String name, int trees) {
    return new Changing(
        cluster,
        name,
        path(name, "p"),
        version -> NumberedTrees.file(version, trees),
        version -> version,
        trees);
  }

  /** An alias that moves to and fro between models, of versions -1, -2 and so on. */
  static Changing alias(RealCluster cluster, String name, List<String> models, int trees) {
    return new Changing(
        cluster,
        name,
        ROOT + "/aliases/" + name,
        change -> "{\"model\": \"" + models.get((int) (change % models.size())) + "\"}",
        change -> -1 - change % models.size(),
        trees);
  }

  /** Where a model is uploaded. */
  static String path(String model, String set) {
    return ROOT + "/models/" + model + "?feature_set=" + set;
  }

  /** Makes change 0, which must succeed. */
  void create() {
    cluster.any().put(path, bodies.apply(0));
  }

  /** Makes change after change, each through another node. */
  void change(AtomicBoolean over) {
    change(over, Duration.ZERO);
  }

  /** The same with a pause after each. */
  void change(AtomicBoolean over, Duration between) {
    while (!over.get()) {
      Campaign.pause(between);
      long next = last.incrementAndGet();
      possible.add(next);
      try {
        int node = (int) (next % RealCluster.NODES);
        NodeClient.Answer answer = cluster.send(node, "PUT", path, bodies.apply(next));
        if (answer.isError()) {
          JsonNode error = answer.body().get("error");
          String reason = error.path("reason").asString(error.path("type").asString());
          refuse(answer.status() + " " + reason.replaceAll("\\[.*?]+", "[…]"));
        } else if (!answer.body().path("acknowledged").asBoolean(true)) {
          // Nodes of the first build do not say.
          refuse("published, and some nodes are behind");
        } else {
          possible.clear();
          possible.add(next);
          acknowledged.incrementAndGet();
        }
      } catch (UncheckedIOException e) {
        refuse("no answer");
      }
    }
  }

  private void refuse(String reason) {
    refusals.merge(reason, 1, Integer::sum);
  }

  /**
   * All nodes score by one and the same of the changes that may have taken place. Waits for a node
   * that was cut off and does not have the last cluster state yet. Not while {@link #change} runs.
   */
  void check() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<Long> left = common();
    while (left.isEmpty() && System.nanoTime() < end) {
      left = common();
    }
    assertFalse(left.isEmpty(), () -> name + " is none of " + possible + " on all nodes");
    possible.clear();
    possible.add(left.getLast());
  }

  /** The changes that may have taken place by which all nodes score. */
  private List<Long> common() {
    List<Long> left = List.copyOf(possible);
    for (int node = 0; node < RealCluster.NODES; node++) {
      JsonNode hits = hits(node);
      left =
          left.stream()
              .filter(change -> SearchLoad.isOf(hits, versions.applyAsLong(change), trees))
              .toList();
    }
    return left;
  }

  /** Remembers the only change that is possible after {@link #check}. */
  void mark() {
    marked = possible.getLast();
  }

  /** What was remembered has come back, by a restore; waits until all nodes say so. */
  void checkRestored() {
    possible.clear();
    possible.add(marked);
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (int node = 0; node < RealCluster.NODES; node++) {
      while (!SearchLoad.isOf(hits(node), versions.applyAsLong(marked), trees)
          && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }
    check();
  }

  /** Hits that it scored; waits for a node that is still loading it. */
  private JsonNode hits(int node) {
    String body = SearchLoad.body("\"model\": \"" + name + "\"");
    NodeClient.Answer answer;
    long end = System.nanoTime() + PATIENCE.toNanos();
    do {
      answer = cluster.client(node).send("POST", "/" + SearchLoad.INDEX + "/_search", body);
    } while (answer.status() == 503 && System.nanoTime() < end);
    assertEquals(200, answer.status(), answer.body()::toString);
    assertEquals(0, answer.body().at("/_shards/failed").asInt(), answer.body()::toString);
    assertEquals(NumberedTrees.VALUES, answer.body().at("/hits/hits").size());
    return answer.body().at("/hits/hits");
  }

  /** The last change that was tried. */
  AtomicLong last() {
    return last;
  }

  /** How many changes were acknowledged. */
  int acknowledged() {
    return acknowledged.get();
  }

  /** Why others were not, and how many. */
  Map<String, Integer> refusals() {
    return refusals;
  }
}

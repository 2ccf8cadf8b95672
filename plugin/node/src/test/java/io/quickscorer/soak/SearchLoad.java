// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/**
 * Threads that search all the time. A search that is answered in full is wrong unless all scores,
 * of all shards, are those of one version.
 */
final class SearchLoad implements AutoCloseable {
  /** The index of documents, one per value that the models tell apart. */
  static final String INDEX = "docs";

  private static final int MAX_WRONG = 20;

  /** Nodes that start need the processors. */
  private static final Duration BETWEEN = Duration.ofMillis(50);

  private final RealCluster cluster;
  private final ExecutorService threads;
  private final List<Future<?>> running = new ArrayList<>();
  private final AtomicLong searches = new AtomicLong();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Map<String, Integer> failed = new ConcurrentSkipListMap<>();
  private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
  private final int size;
  private volatile boolean over;

  /**
   * A model that is searched with.
   *
   * @param trees of each of its versions
   * @param first the lowest version
   * @param last the highest version that may have been uploaded
   */
  record Target(String name, int trees, long first, AtomicLong last) {
    /** A model of version 0 for ever. */
    static Target fixed(String name, int trees) {
      return new Target(name, trees, 0, new AtomicLong());
    }

    /** A model whose versions are uploaded one after the other, from 0. */
    static Target moving(String name, int trees, AtomicLong last) {
      return new Target(name, trees, 0, last);
    }

    /** An alias of {@link Changing#alias} that moves between some models. */
    static Target alias(String name, int trees, int models) {
      return new Target(name, trees, -models, new AtomicLong(-1));
    }
  }

  /** Each search asks for all documents, and each client rests after it. */
  SearchLoad(RealCluster cluster, List<Target> targets, int clients, long seed) {
    this(cluster, targets, clients, seed, NumberedTrees.VALUES, BETWEEN);
  }

  /**
   * @param size documents for which each search asks
   * @param between for how long a client rests after each search
   */
  SearchLoad(
      RealCluster cluster,
      List<Target> targets,
      int clients,
      long seed,
      int size,
      Duration between) {
    this.cluster = cluster;
    this.size = size;
    this.threads = Executors.newFixedThreadPool(clients);
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int c = 0; c < clients; c++) {
      SplittableRandom random = seeds.split();
      running.add(
          threads.submit(
              () -> {
                while (!over && wrong.size() < MAX_WRONG) {
                  search(targets.get(random.nextInt(targets.size())), random);
                  Campaign.pause(between);
                }
              }));
    }
  }

  /** Creates the index, on all nodes, and a feature set {@code p} over it. */
  static void createDocuments(NodeClient client, int shards) {
    client.put(
        "/" + INDEX,
        "{\"settings\": {\"number_of_shards\": "
            + shards
            + ", \"number_of_replicas\": 1, \"index.unassigned.node_left.delayed_timeout\": \"0\"},"
            + " \"mappings\": {\"properties\": {\"p\": {\"type\": \"integer\"},"
            + " \"t\": {\"type\": \"text\"}, \"k\": {\"type\": \"keyword\"},"
            + " \"g\": {\"type\": \"geo_point\"}}}}");
    StringBuilder bulk = new StringBuilder();
    for (int p = 0; p < NumberedTrees.VALUES; p++) {
      bulk.append("{\"index\": {\"_id\": \"").append(p).append("\"}}\n");
      bulk.append("{\"p\": ").append(p).append(", \"t\": \"word word").append(p % 7);
      bulk.append("\", \"k\": \"k").append(p % 5).append("\", \"g\": \"48.").append(10 + p % 80);
      bulk.append(",11.5\"}\n");
    }
    client.post("/" + INDEX + "/_bulk?refresh=true", bulk.toString());
    client.put(
        "/_plugins/_quickscorer/feature_sets/p",
        "{\"features\": [{\"name\": \"p\", \"type\": \"field\", \"field\": \"p\"}]}");
  }

  private void search(Target target, SplittableRandom random) {
    String clause = "\"model\": \"" + target.name() + "\"" + options(random);
    int from = random.nextInt(NumberedTrees.VALUES - size + 1);
    long start = System.nanoTime();
    try {
      NodeClient.Answer answer =
          cluster.send(
              random.nextInt(RealCluster.NODES),
              "POST",
              "/" + INDEX + "/_search",
              body(clause, from, size));
      JsonNode found = answer.body();
      if (answer.isError()) {
        JsonNode cause = found.at("/error/root_cause/0/reason");
        fail(
            answer.status()
                + " "
                + (cause.isMissingNode() ? found.get("error") : cause.asString()));
      } else if (!isWhole(found.get("_shards")) || found.get("timed_out").asBoolean()) {
        fail("incomplete: " + found.get("_shards"));
      } else if (!isRight(found, target)) {
        wrong.add(target.name() + ": " + found);
      }
    } catch (UncheckedIOException e) {
      fail(e.getCause().toString());
    }
    nanos.add(System.nanoTime() - start);
    searches.incrementAndGet();
  }

  /**
   * A shard none of whose copies is on a node that lives counts neither as failed nor as answered.
   */
  private static boolean isWhole(JsonNode shards) {
    return shards.get("successful").asInt() == shards.get("total").asInt();
  }

  private void fail(String reason) {
    failed.merge(reason.replaceAll("[0-9a-zA-Z_-]{16,}|[0-9]{5,}", "…"), 1, Integer::sum);
  }

  private static String options(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> ", \"log\": true";
      case 1 -> ", \"outside_window\": \"mix\"";
      case 2 -> ", \"score_mode\": \"replace\", \"params\": {\"q\": \"word\"}";
      default -> "";
    };
  }

  static String body(String clause) {
    return body(clause, 0, NumberedTrees.VALUES);
  }

  private static String body(String clause, int from, int size) {
    return "{\"size\": "
        + size
        + ", \"query\": {\"range\": {\"p\": {\"gte\": "
        + from
        + ", \"lt\": "
        + (from + size)
        + "}}}, \"_source\": false, \"docvalue_fields\": [\"p\"], \"rescore\": {\"window_size\": "
        + size
        + ", \"quickscorer\": {"
        + clause
        + "}}}";
  }

  /** Whether all scores are those of one version. */
  private boolean isRight(JsonNode found, Target target) {
    JsonNode hits = found.at("/hits/hits");
    if (hits.size() != size) {
      return false;
    }
    for (long version = target.last().get(); version >= target.first(); version--) {
      if (isOf(hits, version, target.trees())) {
        return true;
      }
    }
    return false;
  }

  /** Whether all scores are those of a version. */
  static boolean isOf(JsonNode hits, long version, int trees) {
    List<Float> scores = NumberedTrees.scores(version, trees);
    for (JsonNode hit : hits) {
      float expected = scores.get(hit.at("/fields/p/0").asInt());
      if (Float.floatToRawIntBits(expected)
          != Float.floatToRawIntBits(hit.get("_score").floatValue())) {
        return false;
      }
    }
    return true;
  }

  long searches() {
    return searches.get();
  }

  /** What each search since the last call took, in nanoseconds. */
  List<Long> drainNanos() {
    List<Long> drained = new ArrayList<>();
    for (Long next = nanos.poll(); next != null; next = nanos.poll()) {
      drained.add(next);
    }
    return drained;
  }

  /** Searches with a wrong score. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Reasons why searches failed, or were not answered by all shards, and how many. */
  Map<String, Integer> failed() {
    return failed;
  }

  /** How many failed. */
  int failures() {
    return failed.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Override
  public void close() throws Exception {
    over = true;
    for (Future<?> thread : running) {
      thread.get();
    }
    threads.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A node that is killed while models are uploaded, again and again: what it acknowledged is there
 * when it comes back, whole, and nothing is there by half. {@code -Dkill.rounds=200} for more than
 * the few rounds of a build, {@code -Dtests.seed=…} for those of another run.
 */
final class KilledUploadIT {
  private static final int ROUNDS = Integer.getInteger("kill.rounds", 1);
  private static final long SEED =
      Long.parseLong(System.getProperty("tests.seed", Long.toString(System.nanoTime())));
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final long LONGEST_DELAY = Duration.ofMillis(1500).toNanos();
  private static final Duration LOADED = Duration.ofMinutes(2);

  @TempDir private Path data;

  /** One model's name, replaced by one version after the other. */
  private static final class Slot {
    private final String name;
    private final int trees;
    private long version;

    /** What may be found after a kill: the last acknowledged version and what followed it. */
    private @Nullable Long acknowledged;

    private @Nullable Long underWay;

    Slot(String name, int trees) {
      this.name = name;
      this.trees = trees;
    }

    /** Uploads until the node is gone; returns how many uploads were acknowledged. */
    int upload(NodeClient client) {
      int count = 0;
      while (true) {
        underWay = ++version;
        try {
          client.put(
              ROOT + "/models/" + name + "?feature_set=p", NumberedTrees.file(version, trees));
        } catch (UncheckedIOException e) {
          return count;
        }
        acknowledged = underWay;
        underWay = null;
        count++;
      }
    }

    /** One of the versions that may be there is, and it has all its trees. */
    void check(NodeClient client) {
      @Nullable List<Float> scores = scores(client, name);
      if (scores == null) {
        assertNull(acknowledged, name + " was acknowledged, and is lost");
        return;
      }
      boolean last =
          acknowledged != null && scores.equals(NumberedTrees.scores(acknowledged, trees));
      boolean next = underWay != null && scores.equals(NumberedTrees.scores(underWay, trees));
      assertTrue(
          last || next,
          () -> name + " is neither " + acknowledged + " nor " + underWay + ": " + scores);
      acknowledged = last ? acknowledged : underWay;
    }
  }

  /** Scores of the documents by p, or null if there is no such model. */
  private static @Nullable List<Float> scores(NodeClient client, String model) {
    // A node that has just come back says 503 as long as it loads its models.
    NodeClient.Answer answer = NumberedTrees.search(client, "docs", model);
    for (long end = System.nanoTime() + LOADED.toNanos();
        answer.status() == 503 && System.nanoTime() < end; ) {
      answer = NumberedTrees.search(client, "docs", model);
    }
    if (answer.status() == 404) {
      return null;
    }
    JsonNode found = answer.body();
    assertEquals(200, answer.status(), found::toString);
    return NumberedTrees.scores(found);
  }

  private RunningNode start() throws Exception {
    return SharedNode.another(data, "-Equickscorer.model.warm_up=0s");
  }

  @Test
  void whatWasAcknowledgedIsThereAfterAKill() throws Exception {
    System.out.printf(Locale.ROOT, "KilledUploadIT: -Dtests.seed=%d%n", SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    // Some fit into one document of the index, some take several.
    List<Slot> slots = List.of(new Slot("small", 5), new Slot("large", 400), new Slot("other", 60));
    int acknowledged = 0;
    RunningNode node = start();
    try (ExecutorService threads = Executors.newFixedThreadPool(slots.size())) {
      NumberedTrees.createIndex(node.client(), "docs");
      for (int round = 0; round < ROUNDS; round++) {
        NodeClient killed = node.client();
        List<Future<Integer>> uploads = new ArrayList<>();
        slots.forEach(slot -> uploads.add(threads.submit(() -> slot.upload(killed))));
        // At any moment of any upload: this wait is the test's random input.
        LockSupport.parkNanos(random.nextLong(LONGEST_DELAY));
        node.kill();
        for (Future<Integer> upload : uploads) {
          acknowledged += upload.get();
        }
        node = start();
        NodeClient client = node.client();
        client.get("/_cluster/health/docs?wait_for_status=green&timeout=2m");
        Set<String> whole = new TreeSet<>();
        for (Slot slot : slots) {
          slot.check(client);
          if (slot.acknowledged != null) {
            whole.add(slot.name);
          }
        }
        Set<String> listed = new TreeSet<>();
        for (JsonNode model : client.get(ROOT + "/models").get("models")) {
          listed.add(model.get("name").asString());
        }
        assertEquals(whole, listed);
      }
    } finally {
      node.close();
    }
    System.out.printf(
        Locale.ROOT, "%d kills, %d uploads acknowledged, none lost%n", ROUNDS, acknowledged);
  }
}

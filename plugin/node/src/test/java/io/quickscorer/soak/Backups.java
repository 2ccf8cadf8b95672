// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.node.NodeClient;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import tools.jackson.databind.node.MissingNode;

/**
 * Snapshots of the plugin's index, as docs/backup.md describes them. What fails because a node dies
 * is tried again, as an operator does.
 */
final class Backups {
  private static final String REPOSITORY = "/_snapshot/backups";
  private static final String INDEX_ALONE =
      "{\"indices\": \".quickscorer-models\", \"include_global_state\": false}";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final RealCluster cluster;
  private int snapshots;
  private int restores;

  /**
   * @param location a folder below a {@code path.repo} of all nodes
   */
  Backups(RealCluster cluster, Path location) {
    this.cluster = cluster;
    cluster
        .any()
        .put(REPOSITORY, "{\"type\": \"fs\", \"settings\": {\"location\": \"" + location + "\"}}");
  }

  private NodeClient.Answer send(String method, String path, String body) {
    try {
      return cluster.send(0, method, path, body);
    } catch (UncheckedIOException e) {
      return new NodeClient.Answer(503, MissingNode.getInstance());
    }
  }

  /** Takes one that has succeeded. */
  void take() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    NodeClient.Answer answer;
    do {
      snapshots++;
      answer = send("PUT", REPOSITORY + "/" + snapshots + "?wait_for_completion=true", INDEX_ALONE);
    } while (!answer.body().at("/snapshot/state").asString("").equals("SUCCESS")
        && System.nanoTime() < end);
    String said = answer.status() + " " + answer.body();
    assertTrue(answer.body().at("/snapshot/state").asString("").equals("SUCCESS"), said);
  }

  /** Deletes the index and restores it from the last snapshot, until that has succeeded. */
  void restore() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    NodeClient.Answer answer;
    boolean whole;
    do {
      send("DELETE", Storage.INDEX, "");
      answer =
          send(
              "POST",
              REPOSITORY + "/" + snapshots + "/_restore?wait_for_completion=true",
              INDEX_ALONE);
      whole =
          !answer.isError()
              && answer.body().at("/snapshot/shards/failed").asInt(1) == 0
              && answer.body().at("/snapshot/shards/successful").asInt(0) > 0;
    } while (!whole && System.nanoTime() < end);
    String said = answer.status() + " " + answer.body();
    assertTrue(whole, said);
    restores++;
  }

  /** How many restores have succeeded. */
  int restores() {
    return restores;
  }
}

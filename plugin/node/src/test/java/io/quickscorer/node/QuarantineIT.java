// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that dies twice while it warms up a model, as by a crash of the JVM: it comes back without
 * that model, says so, and takes it again when it is uploaded again.
 */
final class QuarantineIT {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final long LIMIT = Duration.ofMinutes(2).toNanos();
  private static final int TREES = 50;

  @TempDir private Path data;

  private boolean isMarked() throws IOException {
    // Only this folder is read, because the node replaces files of others meanwhile.
    Path marks = data.resolve("nodes/0/quickscorer/loading");
    if (!Files.isDirectory(marks)) {
      return false;
    }
    try (Stream<Path> files = Files.list(marks)) {
      return files.anyMatch(file -> file.getFileName().toString().endsWith("-its-warm-up"));
    }
  }

  private static void upload(NodeClient client, String name) {
    client.put(ROOT + "/models/" + name + "?feature_set=p", NumberedTrees.file(1, TREES));
  }

  private static int searched(NodeClient client, String model) {
    int status = NumberedTrees.search(client, "docs", model).status();
    for (long end = System.nanoTime() + LIMIT; status == 503 && System.nanoTime() < end; ) {
      status = NumberedTrees.search(client, "docs", model).status();
    }
    return status;
  }

  private void killInWarmUp(RunningNode node) throws Exception {
    for (long end = System.nanoTime() + LIMIT; !isMarked(); ) {
      assertTrue(System.nanoTime() < end, "no mark of a warm-up");
      LockSupport.parkNanos(1_000_000);
    }
    node.kill();
  }

  @Test
  void aModelDuringWhoseWarmUpTheNodeDiedTwiceIsQuarantined() throws Exception {
    RunningNode node = SharedNode.another(data, "-Equickscorer.model.warm_up=60s");
    try {
      NumberedTrees.createIndex(node.client(), "docs");
      upload(node.client(), "crashes");
      killInWarmUp(node);
      node = SharedNode.another(data, "-Equickscorer.model.warm_up=60s");
      assertEquals(200, searched(node.client(), "crashes"));
      killInWarmUp(node);
      node = SharedNode.another(data, "-Equickscorer.model.warm_up=0s");
      NodeClient client = node.client();
      client.get("/_cluster/health/docs?wait_for_status=green&timeout=2m");
      String quarantined = "quarantined, because the node died during the model's warm-up";
      String ready = client.send("GET", ROOT + "/ready", "").body().toString();
      for (long end = System.nanoTime() + LIMIT; !ready.contains(quarantined); ) {
        assertTrue(System.nanoTime() < end, ready);
        ready = client.send("GET", ROOT + "/ready", "").body().toString();
      }
      NodeClient.Answer refused = NumberedTrees.search(client, "docs", "crashes");
      assertEquals(503, refused.status(), () -> refused.body().toString());
      String stats = client.get(ROOT + "/stats").toString();
      assertTrue(stats.contains("upload the model again"), stats);
      upload(client, "crashes");
      assertEquals(200, searched(client, "crashes"));
      node.kill();
      node = SharedNode.another(data, "-Equickscorer.model.warm_up=0s");
      assertEquals(200, searched(node.client(), "crashes"));
    } finally {
      node.close();
    }
  }
}

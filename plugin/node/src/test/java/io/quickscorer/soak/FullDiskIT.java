// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disks of a {@link Campaign}'s nodes get full: the server closes the indices to writes when
 * little is left (its flood stage), and as root on Linux the file system of one or of all nodes has
 * no byte left. {@code -Dsoak.disks=20} for that many.
 */
@EnabledIfSystemProperty(named = "soak", matches = "true")
final class FullDiskIT {
  private static final int DISKS = Integer.getInteger("soak.disks", 3);
  private static final Duration MAX_DELAY = Duration.ofMillis(1500);

  /** Longer than a write waits for a copy that can take it. */
  private static final Duration MAX_FULL = Duration.ofSeconds(45);

  private static final Duration REFILL = Duration.ofMillis(200);

  /** A shard that could not be written to was seen to take more than three minutes to close. */
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  private static final String MORE_THAN_ANY = "\"1000000gb\"";

  private static final String NODES = "&wait_for_nodes=" + RealCluster.NODES;

  private enum Kind {
    FLOOD_STAGE,
    ONE_FULL,
    ALL_FULL
  }

  @TempDir private Path folder;
  private final Map<String, Integer> answers = new TreeMap<>();

  /** From this much free space on, in bytes, the disks count as full; null for the default. */
  private static void setFloodStage(RealCluster cluster, String free) {
    String watermark = "\"cluster.routing.allocation.disk.watermark.";
    cluster
        .any()
        .put(
            "/_cluster/settings",
            "{\"transient\": {"
                + watermark
                + "low\": "
                + free
                + ", "
                + watermark
                + "high\": "
                + free
                + ", "
                + watermark
                + "flood_stage\": "
                + free
                + "}}");
  }

  private static void awaitClosedToWrites(RealCluster cluster, boolean closed) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean is;
    do {
      Campaign.pause(Duration.ofMillis(200));
      NodeClient.Answer answer = cluster.send(0, "GET", Storage.INDEX + "/_settings", "");
      is = answer.isError() ? !closed : answer.body().toString().contains("read_only_allow_delete");
    } while (is != closed && System.nanoTime() < end);
    assertEquals(closed, is, "closed to writes");
  }

  /** An upload is refused with a status and a sentence that an operator understands. */
  private void requireRefusal(RealCluster cluster) {
    NodeClient.Answer answer =
        cluster.any().send("PUT", Changing.path("refused", "p"), NumberedTrees.file(7, 3));
    String reason = answer.body().at("/error/reason").asString("");
    answers.merge(answer.status() + " " + reason, 1, Integer::sum);
    assertTrue(answer.isError() && answer.status() != 500, answer.body()::toString);
    assertTrue(reason.contains("disk"), reason);
  }

  /** Does what an operator would, again and again, until all nodes and shards are back. */
  private static void awaitRecovery(RealCluster cluster) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    NodeClient.Answer health;
    do {
      cluster.startAgainWhereDead();
      // Shards whose files could not be written are not tried for ever.
      cluster.send(0, "POST", "/_cluster/reroute?retry_failed=true", "");
      health =
          cluster.send(0, "GET", "/_cluster/health?wait_for_status=green&timeout=5s" + NODES, "");
    } while (health.isError() && System.nanoTime() < end);
    if (health.isError()) {
      String shards = "/_cat/shards?v&h=index,shard,prirep,state,node,unassigned.details";
      fail(
          health.body()
              + "\n"
              + cluster.send(0, "GET", "/_cluster/allocation/explain", "").body()
              + "\n"
              + cluster.send(0, "GET", shards + "&format=json", "").body());
    }
  }

  private void disrupt(RealCluster cluster, Campaign campaign, Disks disks, Kind kind)
      throws Exception {
    campaign.pauseAtMost(MAX_DELAY);
    if (kind == Kind.FLOOD_STAGE) {
      setFloodStage(cluster, MORE_THAN_ANY);
      awaitClosedToWrites(cluster, true);
      requireRefusal(cluster);
      setFloodStage(cluster, "null");
    } else {
      int victim = campaign.victim();
      long end = System.nanoTime() + campaign.random().nextLong(MAX_FULL.toNanos());
      do {
        for (int node = 0; node < RealCluster.NODES; node++) {
          if (kind == Kind.ALL_FULL || node == victim) {
            disks.fill(node);
          }
        }
        Campaign.pause(REFILL);
      } while (System.nanoTime() < end);
      disks.free();
      awaitRecovery(cluster);
    }
    awaitClosedToWrites(cluster, false);
  }

  @Test
  void whatWasAcknowledgedIsThereAfterFullDisks() throws Exception {
    String[] settings =
        Stream.concat(Stream.of(Campaign.SETTINGS), Stream.of("-Ecluster.info.update.interval=10s"))
            .toArray(String[]::new);
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    try (Disks disks = new Disks(folder);
        RealCluster cluster = new RealCluster(folder, settings);
        Campaign campaign = new Campaign("FullDiskIT", cluster)) {
      String said = "";
      for (int disk = 1; disk <= DISKS; disk++) {
        Kind kind = disks.areReal() ? Kind.values()[disk % Kind.values().length] : Kind.FLOOD_STAGE;
        campaign.during(() -> disrupt(cluster, campaign, disks, kind));
        kinds.merge(kind, 1, Integer::sum);
        said = disk + " full disks " + kinds + ", " + cluster.diedAlone() + " nodes ended by them";
        campaign.say(said);
      }
      campaign.end(said);
      System.out.println("  uploads to full disks: " + answers);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The network between the nodes of a {@link Campaign} is parted: one node from the others, the
 * elected manager in at least half of the cases; in one direction; or all three. Connections break,
 * or fall silent. {@code -Dsoak.partitions=50} for that many.
 */
@EnabledIfSystemProperty(named = "soak", matches = "true")
final class PartitionedClusterIT {
  private static final int PARTITIONS = Integer.getInteger("soak.partitions", 4);
  private static final Duration MAX_DELAY = Duration.ofMillis(1500);

  /** Longer than a silent node takes to be noticed, or not. */
  private static final Duration MAX_PARTITION = Duration.ofSeconds(20);

  /** A silent node is noticed after 10 to 15 s. */
  private static final String[] SETTINGS = {
    "-Ecluster.fault_detection.follower_check.timeout=5s",
    "-Ecluster.fault_detection.follower_check.retry_count=2",
    "-Ecluster.fault_detection.leader_check.timeout=5s",
    "-Ecluster.fault_detection.leader_check.retry_count=2",
    "-Ecluster.publish.timeout=10s",
    "-Ecluster.follower_lag.timeout=20s"
  };

  private enum Kind {
    ISOLATED,
    CANNOT_REACH_OTHERS,
    CANNOT_BE_REACHED,
    ALL_APART
  }

  @TempDir private Path folder;

  private static void part(Links links, Kind kind, int victim, Links.Fate fate) {
    for (int from = 0; from < RealCluster.NODES; from++) {
      for (int to = 0; to < RealCluster.NODES; to++) {
        boolean parted =
            from != to
                && switch (kind) {
                  case ISOLATED -> from == victim || to == victim;
                  case CANNOT_REACH_OTHERS -> from == victim;
                  case CANNOT_BE_REACHED -> to == victim;
                  case ALL_APART -> true;
                };
        if (parted) {
          links.set(from, to, fate);
        }
      }
    }
  }

  @Test
  void whatWasAcknowledgedIsThereAfterPartitions() throws Exception {
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    Map<Links.Fate, Integer> fates = new EnumMap<>(Links.Fate.class);
    String[] settings =
        Stream.of(Campaign.SETTINGS, SETTINGS).flatMap(Stream::of).toArray(String[]::new);
    try (Links links = new Links();
        RealCluster cluster = new RealCluster(folder, links, settings);
        Campaign campaign = new Campaign("PartitionedClusterIT", cluster)) {
      SplittableRandom random = campaign.random();
      String said = "";
      for (int partition = 1; partition <= PARTITIONS; partition++) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        Links.Fate fate = random.nextBoolean() ? Links.Fate.CLOSED : Links.Fate.SILENT;
        int victim = campaign.victim();
        campaign.during(
            () -> {
              campaign.pauseAtMost(MAX_DELAY);
              part(links, kind, victim, fate);
              campaign.pauseAtMost(MAX_PARTITION);
              links.heal();
            });
        kinds.merge(kind, 1, Integer::sum);
        fates.merge(fate, 1, Integer::sum);
        said = partition + " partitions " + kinds + " " + fates;
        campaign.say(said);
      }
      campaign.end(said);
    }
  }
}

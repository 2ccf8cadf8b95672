// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import io.quickscorer.node.RunningNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes of a {@link Campaign} are killed, the elected manager in at least half of the cases, every
 * fifth while the models' index is restored from a snapshot. {@code -Dsoak.kills=200} for that
 * many.
 */
@EnabledIfSystemProperty(named = "soak", matches = "true")
final class KilledClusterIT {
  private static final int KILLS = Integer.getInteger("soak.kills", 5);
  private static final int RESTORE_EVERY = 5;
  private static final Duration MAX_DELAY = Duration.ofMillis(1500);

  @TempDir private Path folder;

  private static void kill(RealCluster cluster, Campaign campaign) throws Exception {
    int node = campaign.victim();
    campaign.pauseAtMost(MAX_DELAY);
    cluster.kill(node);
    campaign.pauseAtMost(MAX_DELAY);
    cluster.start(node, RunningNode.home());
  }

  @Test
  void whatWasAcknowledgedIsThereAfterKills() throws Exception {
    String[] settings =
        Stream.concat(
                Stream.of(Campaign.SETTINGS), Stream.of("-Epath.repo=" + folder.resolve("backups")))
            .toArray(String[]::new);
    try (RealCluster cluster = new RealCluster(folder, settings);
        Campaign campaign = new Campaign("KilledClusterIT", cluster)) {
      Backups backups = new Backups(cluster, folder.resolve("backups"));
      String said = "";
      for (int kill = 1; kill <= KILLS; kill++) {
        if (kill % RESTORE_EVERY == 0) {
          campaign.duringRestore(backups, () -> kill(cluster, campaign));
        } else {
          campaign.during(() -> kill(cluster, campaign));
        }
        said = String.format(Locale.ROOT, "%d kills, %d restores", kill, backups.restores());
        campaign.say(said);
      }
      campaign.end(said);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.node.RunningNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of 512 MB that is attacked must not die, hang or leak. {@code mvn -Phostile verify} does
 * so by the hour: {@code -Dhostile.minutes=60 -Dhostile.heap=512m -Dhostile.upload.mb=30}, and
 * {@code -Dtests.seed=…} for the requests of another run.
 */
final class HostileIT {
  private static final long SEED =
      Long.parseLong(System.getProperty("tests.seed", Long.toString(System.nanoTime())));

  @Test
  void nodeSurvivesAndGivesEverythingBack(@TempDir Path folder) throws Exception {
    System.out.println("HostileIT: -Dtests.seed=" + SEED);
    String heap = System.getProperty("hostile.heap", "512m");
    Path home = RightsHome.of(RunningNode.home(), folder.resolve("home"));
    Path data = Files.createDirectory(folder.resolve("data"));
    try (Target target = new Target(home, data, heap)) {
      HostileRun run = new HostileRun(target, SEED);
      run.run(Duration.ofMinutes(Long.getLong("hostile.minutes", 0)));
      assertEquals(List.of(), run.faults());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.node.RunningNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of 512 MB that is attacked must not die, hang or leak. {@code mvn -Phostile verify} does
 * so by the hour: {@code -Dhostile.minutes=60 -Dhostile.heap=512m}, and {@code -Dtests.seed=…} for
 * the requests of another run; {@code -Dhostile.replay=…} repeats one fault as it is reported.
 */
final class HostileIT {
  private static final long MINUTES = Long.getLong("hostile.minutes", 0);

  /** The short form chooses alike in every build. */
  private static final long SEED = Long.getLong("tests.seed", MINUTES == 0 ? 1 : System.nanoTime());

  /** Bytes for the recursion over trees as deep as they can be. */
  static final long STACK = 1L << 30;

  @Test
  void nodeSurvivesAndGivesEverythingBack(@TempDir Path folder) throws Exception {
    System.out.println("HostileIT: -Dtests.seed=" + SEED);
    String heap = System.getProperty("hostile.heap", "512m");
    Path home = RightsHome.of(RunningNode.home(), folder.resolve("home"));
    Throwable[] thrown = {null};
    Thread thread =
        new Thread(
            null,
            () -> {
              try (Target target = new Target(home, folder, heap)) {
                HostileRun run = new HostileRun(target, SEED);
                String replay = System.getProperty("hostile.replay", "");
                if (replay.isEmpty()) {
                  run.run(Duration.ofMinutes(MINUTES));
                } else {
                  run.replay(replay);
                }
                assertEquals(List.of(), run.faults());
              } catch (Throwable e) {
                thrown[0] = e;
              }
            },
            "hostile",
            STACK);
    thread.start();
    thread.join();
    if (thrown[0] != null) {
      throw new AssertionError(thrown[0]);
    }
  }
}

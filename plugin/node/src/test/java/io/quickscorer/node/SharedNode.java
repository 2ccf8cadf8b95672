// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node for all tests of this JVM, started when first asked for; it ends with the JVM whatever
 * the tests do.
 */
final class SharedNode {
  static final Duration START = Duration.ofMinutes(5);

  private static final Map<String, String> SHORT_LIVED =
      Map.of("NODE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");

  private static @Nullable RunningNode node;

  private SharedNode() {}

  static synchronized RunningNode get() throws IOException, InterruptedException {
    if (node == null) {
      node =
          RunningNode.start(
              RunningNode.home(), Files.createTempDirectory("node"), List.of(), Map.of(), START);
    }
    return node;
  }

  /**
   * Starts another node with a data folder of its own, for the caller to close. The node lives for
   * some requests, so only the fast compiler of its JVM works: with both, a start takes twice the
   * processor time.
   */
  static RunningNode another(Path data, String... arguments)
      throws IOException, InterruptedException {
    return RunningNode.start(RunningNode.home(), data, List.of(arguments), SHORT_LIVED, START);
  }

  /** The same with further variables in its environment. */
  static RunningNode another(Path data, Map<String, String> environment)
      throws IOException, InterruptedException {
    return RunningNode.start(RunningNode.home(), data, List.of(), environment, START);
  }
}

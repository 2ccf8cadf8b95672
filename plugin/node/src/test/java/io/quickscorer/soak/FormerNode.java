// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import io.quickscorer.node.LinkedHome;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The node from which nodes are upgraded: this server with the plugin of {@code
 * -Dsoak.former.zip=…}, the assembled one of {@code -Dsoak.former.home=…}, or else this build's.
 */
final class FormerNode {
  private static final String NAME = "opensearch-quickscorer";

  private FormerNode() {}

  /**
   * Its home.
   *
   * @param folder an existing one to work in
   */
  static Path home(Path folder) throws IOException {
    String assembled = System.getProperty("soak.former.home", "");
    if (!assembled.isEmpty()) {
      return Path.of(assembled);
    }
    String zip = System.getProperty("soak.former.zip", "");
    if (zip.isEmpty()) {
      return RunningNode.home();
    }
    Path home = LinkedHome.of(RunningNode.home(), folder.resolve("former-home"), NAME);
    unzip(Path.of(zip), home.resolve("plugins").resolve(NAME));
    return home;
  }

  private static void unzip(Path zip, Path to) throws IOException {
    try (InputStream file = Files.newInputStream(zip);
        ZipInputStream in = new ZipInputStream(file)) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path target = to.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(in, target);
        }
      }
    }
  }
}

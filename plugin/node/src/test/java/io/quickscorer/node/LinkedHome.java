// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A node's home like an assembled one, whose plugins may be others. */
public final class LinkedHome {
  private LinkedHome() {}

  /**
   * Makes it of links.
   *
   * @param home the assembled home
   * @param copy a folder that does not exist
   * @param without names of plugins to leave out
   */
  public static Path of(Path home, Path copy, String... without) throws IOException {
    Path plugins = Files.createDirectories(copy.resolve("plugins"));
    link(home, copy, "plugins", "bin");
    link(home.resolve("plugins"), plugins, without);
    // The script finds the home by its own place.
    Path script = Files.createDirectories(copy.resolve("bin")).resolve("start");
    Files.copy(home.resolve("bin/start"), script);
    script.toFile().setExecutable(true);
    return copy;
  }

  private static void link(Path from, Path to, String... without) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        if (!List.of(without).contains(entry.getFileName().toString())) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
        }
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Homes of nodes that differ in the plugin's build alone. */
final class MeasuredHome {
  private static final String PLUGIN = "plugins/opensearch-quickscorer";

  private MeasuredHome() {}

  /** A copy of a home, with the plugin of another zip. */
  static Path withPlugin(Path home, Path zip, Path copy) throws IOException {
    copy(home, copy, home.resolve(PLUGIN));
    Path plugin = Files.createDirectories(copy.resolve(PLUGIN));
    try (InputStream file = Files.newInputStream(zip);
        ZipInputStream entries = new ZipInputStream(file)) {
      ZipEntry entry;
      while ((entry = entries.getNextEntry()) != null) {
        Path target = plugin.resolve(entry.getName()).normalize();
        if (!target.startsWith(plugin)) {
          throw new IOException(zip + " holds " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(entries, target);
        }
      }
    }
    return copy;
  }

  /** Copies a folder; existing files of the copy stay. */
  static void copy(Path from, Path to, Path without) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file));
        if (!file.startsWith(without) && !Files.isDirectory(target)) {
          Files.copy(file, target);
        }
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Creates copies of an OpenSearch folder that differ only in the build of the plugin. */
final class MeasuredHome {
  private static final String PLUGIN = "plugins/opensearch-quickscorer";

  private MeasuredHome() {}

  /** Copies an OpenSearch folder, replaces the plugin by the one in a zip, and returns the copy. */
  static Path withPlugin(Path home, Path zip, Path copy) throws IOException {
    copy(home, copy, home.resolve(PLUGIN));
    Path plugin = Files.createDirectories(copy.resolve(PLUGIN));
    try (InputStream file = Files.newInputStream(zip);
        ZipInputStream entries = new ZipInputStream(file)) {
      ZipEntry entry;
      while ((entry = entries.getNextEntry()) != null) {
        Path target = plugin.resolve(entry.getName()).normalize();
        if (!target.startsWith(plugin)) {
          throw new IOException(
              zip
                  + ": the path of entry ["
                  + entry.getName()
                  + "] leads out of the plugin's folder");
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

  /** Copies a folder without one of its subfolders. */
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

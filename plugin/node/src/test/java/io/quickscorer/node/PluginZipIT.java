// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.plugins.PluginsService;

/**
 * What the install command of a distribution checks before it accepts the zip, done with the
 * server's own classes.
 */
final class PluginZipIT {
  @TempDir private Path folder;

  @Test
  void zipPassesTheChecksOfTheInstallCommand() throws Exception {
    Path unpacked = unpack(Path.of(System.getProperty("plugin.zip")), folder.resolve("plugin"));
    PluginInfo info = PluginInfo.readFromProperties(unpacked);
    assertEquals("opensearch-quickscorer", info.getName());
    PluginsService.verifyCompatibility(info);
    PluginsService.checkJarHellForPlugin(
        jars(RunningNode.home().resolve("lib")),
        info,
        unpacked,
        Files.createDirectory(folder.resolve("plugins")),
        RunningNode.home().resolve("modules"));
    assertFalse(
        Files.exists(unpacked.resolve(PluginInfo.OPENSEARCH_PLUGIN_POLICY)),
        "the plugin works without permissions of its own");
  }

  private static Path unpack(Path zip, Path target) throws IOException {
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = target.resolve(entry.getName()).normalize();
        assertTrue(file.startsWith(target), "entry outside the folder: " + entry.getName());
        assertFalse(
            entry.getName().startsWith("opensearch/"), "entry in a top folder: " + entry.getName());
        if (!entry.isDirectory()) {
          Files.createDirectories(file.getParent());
          Files.copy(in, file);
        }
      }
    }
    return target;
  }

  private static Set<URL> jars(Path lib) throws IOException {
    Set<URL> urls = new HashSet<>();
    try (Stream<Path> files = Files.list(lib)) {
      files.forEach(jar -> urls.add(url(jar)));
    }
    return urls;
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.plugins.PluginsService;

/** What the install command of a distribution does with the zip, and what the server checks. */
final class PluginZipIT {
  @TempDir private Path folder;

  @Test
  void zipPassesTheChecksOfTheInstallCommand() throws Exception {
    Path unpacked = unpack(Path.of(System.getProperty("plugin.zip")), folder.resolve("plugin"));
    PluginInfo info = PluginInfo.readFromProperties(unpacked);
    assertEquals("opensearch-quickscorer", info.getName());
    assertEquals("25", info.getJavaVersion(), "an older one is to be refused by name");
    PluginsService.verifyCompatibility(info);
    List<Integer> version =
        Stream.of(System.getProperty("opensearch.version").split("\\."))
            .map(Integer::valueOf)
            .toList();
    assertTrue(accepts(info, version.get(1), version.get(2) + 1), "the next patch release");
    assertFalse(accepts(info, version.get(1) + 1, 0), "the next minor release");
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

  /** The program {@code opensearch-plugin} installs the zip, lists it and takes it away again. */
  @Test
  void theInstallCommandTakesTheZip() throws Exception {
    Path server = RunningNode.home();
    Path home = Files.createDirectory(folder.resolve("home"));
    for (String linked : List.of("lib", "modules", "config")) {
      Files.createSymbolicLink(home.resolve(linked), server.resolve(linked));
    }
    Path plugin = Files.createDirectory(home.resolve("plugins")).resolve("opensearch-quickscorer");
    String zip = Path.of(System.getProperty("plugin.zip")).toAbsolutePath().toUri().toString();
    String said = Installer.run(home, "install", "--batch", zip);
    assertTrue(said.contains("-> Installed opensearch-quickscorer"), said);
    assertTrue(Files.exists(plugin.resolve("plugin-descriptor.properties")));
    assertTrue(Installer.run(home, "list").lines().anyMatch("opensearch-quickscorer"::equals));
    IOException again =
        assertThrows(IOException.class, () -> Installer.run(home, "install", "--batch", zip));
    assertTrue(String.valueOf(again.getMessage()).contains("already exists"), again::toString);
    Installer.run(home, "remove", "opensearch-quickscorer");
    assertFalse(Files.exists(plugin));
  }

  private static boolean accepts(PluginInfo info, int minor, int patch) {
    return info.getOpenSearchVersionRanges().getFirst().isSatisfiedBy("3." + minor + "." + patch);
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

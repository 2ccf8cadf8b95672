// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final int INSTALLER_MINOR = 6;

  @TempDir private Path folder;

  @Test
  void zipPassesTheChecksOfTheInstallCommand() throws Exception {
    Path unpacked = unpack(Path.of(System.getProperty("plugin.zip")), folder.resolve("plugin"));
    PluginInfo info = PluginInfo.readFromProperties(unpacked);
    assertEquals("opensearch-quickscorer", info.getName());
    assertEquals("25", info.getJavaVersion(), "an older one is to be refused by name");
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

  /** The program {@code opensearch-plugin} installs the zip, lists it and takes it away again. */
  @Test
  void theInstallCommandTakesTheZip() throws Exception {
    int minor = Integer.parseInt(System.getProperty("opensearch.version").split("\\.")[1]);
    assumeTrue(minor >= INSTALLER_MINOR, "the program is of a later version than the server");
    Path server = RunningNode.home();
    Path home = Files.createDirectory(folder.resolve("home"));
    for (String linked : List.of("lib", "modules", "config")) {
      Files.createSymbolicLink(home.resolve(linked), server.resolve(linked));
    }
    Path plugin = Files.createDirectory(home.resolve("plugins")).resolve("opensearch-quickscorer");
    String zip = Path.of(System.getProperty("plugin.zip")).toAbsolutePath().toUri().toString();
    String said = installer(home, "install", "--batch", zip);
    assertTrue(said.contains("-> Installed opensearch-quickscorer"), said);
    assertTrue(Files.exists(plugin.resolve("plugin-descriptor.properties")));
    assertTrue(installer(home, "list").lines().anyMatch("opensearch-quickscorer"::equals));
    IOException again =
        assertThrows(IOException.class, () -> installer(home, "install", "--batch", zip));
    assertTrue(String.valueOf(again.getMessage()).contains("already exists"), again::toString);
    installer(home, "remove", "opensearch-quickscorer");
    assertFalse(Files.exists(plugin));
  }

  /** As {@code bin/opensearch-plugin} of a distribution calls it, which the registry lacks. */
  private static String installer(Path home, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dopensearch.path.home=" + home);
    command.add("-Dopensearch.path.conf=" + home.resolve("config"));
    command.addAll(List.of("-Dopensearch.distribution.type=tar", "-Dopensearch.bundled_jdk=false"));
    command.add("-cp");
    command.add(home.resolve("lib") + "/*:" + System.getProperty("plugin.cli") + "/*");
    command.add("org.opensearch.tools.cli.plugin.PluginCli");
    command.addAll(List.of(arguments));
    return Program.run(home, "", command.toArray(String[]::new));
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The plugin's packages beside those of the server. A class loader of a plugin asks that of the
 * server's {@code lib} first, and none of another plugin or module that it does not extend.
 */
final class PackagesIT {
  private static final Path HOME = RunningNode.home();

  /** A package in both would be of two class loaders, whose classes do not see each other's. */
  @Test
  void noPackageIsInTheServersLibToo() throws IOException {
    Set<String> shared = packages(HOME.resolve("plugins/opensearch-quickscorer"));
    assertFalse(shared.isEmpty());
    shared.retainAll(packages(HOME.resolve("lib")));
    assertEquals(Set.of(), shared);
  }

  /** Modules may bring the same libraries; each uses its own. The build shows which. */
  @Test
  void thePluginExtendsNoModule() throws IOException {
    Path plugin = HOME.resolve("plugins/opensearch-quickscorer");
    List<String> descriptor = Files.readAllLines(plugin.resolve("plugin-descriptor.properties"));
    assertFalse(descriptor.stream().anyMatch(line -> line.startsWith("extended.plugins")));
    Set<String> ours = packages(plugin);
    SortedMap<String, Set<String>> shared = new TreeMap<>();
    try (Stream<Path> modules = Files.list(HOME.resolve("modules"))) {
      for (Path module : modules.toList()) {
        shared.put(module.getFileName().toString(), jarsOf(module, ours));
      }
    }
    StringBuilder table =
        new StringBuilder("| module | its jars with packages of the zip's |\n|---|---|\n");
    shared.forEach(
        (module, jars) ->
            table
                .append("| ")
                .append(module)
                .append(" | ")
                .append(jars.isEmpty() ? "–" : String.join(", ", jars))
                .append(" |\n"));
    Files.writeString(
        Path.of("target", "packages-" + System.getProperty("opensearch.version") + ".md"), table);
  }

  private static Set<String> jarsOf(Path folder, Set<String> packages) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path jar : jars(folder)) {
      if (packages(List.of(jar)).stream().anyMatch(packages::contains)) {
        found.add(jar.getFileName().toString());
      }
    }
    return found;
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
  }

  private static Set<String> packages(Path folder) throws IOException {
    return packages(jars(folder));
  }

  private static Set<String> packages(List<Path> jars) throws IOException {
    Set<String> packages = new TreeSet<>();
    for (Path path : jars) {
      try (JarFile jar = new JarFile(path.toFile())) {
        jar.stream()
            .map(entry -> entry.getName().replaceFirst("^META-INF/versions/\\d+/", ""))
            .filter(name -> name.endsWith(".class") && name.contains("/"))
            .filter(name -> !name.startsWith("META-INF/"))
            .forEach(name -> packages.add(name.substring(0, name.lastIndexOf('/'))));
      }
    }
    return packages;
  }
}

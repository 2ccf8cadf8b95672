// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.release;

import io.quickscorer.node.Program;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The program {@code opensearch-plugin}, of the one version of 3.x that the registry has. */
final class Installer {
  private static final int MINOR = 6;

  private Installer() {}

  private static Path jars() {
    int minor = Integer.parseInt(System.getProperty("opensearch.version").split("\\.")[1]);
    Assumptions.assumeTrue(minor >= MINOR, "the program is of a later version than the server");
    return Path.of(System.getProperty("plugin.cli"));
  }

  /**
   * Runs it as {@code bin/opensearch-plugin} of a distribution does, which the registry lacks.
   *
   * @return what it wrote
   */
  static String run(Path home, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dopensearch.path.home=" + home);
    command.add("-Dopensearch.path.conf=" + home.resolve("config"));
    command.addAll(List.of("-Dopensearch.distribution.type=tar", "-Dopensearch.bundled_jdk=false"));
    command.add("-cp");
    command.add(home.resolve("lib") + "/*:" + jars() + "/*");
    command.add("org.opensearch.tools.cli.plugin.PluginCli");
    command.addAll(List.of(arguments));
    return Program.run(home, "", command.toArray(String[]::new));
  }

  /** Its classes. */
  static URLClassLoader classes() throws Exception {
    List<URL> urls = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(jars(), "*.jar")) {
      for (Path file : files) {
        urls.add(file.toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), Installer.class.getClassLoader());
  }
}

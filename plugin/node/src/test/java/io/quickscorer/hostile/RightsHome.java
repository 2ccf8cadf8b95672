// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.rights.HeaderRights;
import io.quickscorer.node.LinkedHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** A node's home like the assembled one, with {@link HeaderRights} among its plugins. */
final class RightsHome {
  private static final String DESCRIPTOR = "plugin-descriptor.properties";

  private RightsHome() {}

  /**
   * Makes it of links.
   *
   * @param home the assembled home
   * @param copy a folder that does not exist
   */
  static Path of(Path home, Path copy) throws IOException {
    LinkedHome.of(home, copy);
    plugin(home, Files.createDirectories(copy.resolve("plugins/header-rights")));
    return copy;
  }

  private static void plugin(Path home, Path folder) throws IOException {
    Properties descriptor = new Properties();
    try (InputStream ours =
        Files.newInputStream(home.resolve("plugins/opensearch-quickscorer").resolve(DESCRIPTOR))) {
      descriptor.load(ours);
    }
    descriptor.setProperty("name", "header-rights");
    descriptor.setProperty("description", "Grants actions by a header");
    descriptor.setProperty("classname", HeaderRights.class.getName());
    try (OutputStream out = Files.newOutputStream(folder.resolve(DESCRIPTOR))) {
      descriptor.store(out, null);
    }
    String packageFolder = HeaderRights.class.getPackageName().replace('.', '/');
    Path classes =
        Path.of(HeaderRights.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    try (JarOutputStream jar =
            new JarOutputStream(Files.newOutputStream(folder.resolve("header-rights.jar")));
        Stream<Path> files = Files.list(classes.resolve(packageFolder))) {
      for (Path file : files.toList()) {
        jar.putNextEntry(new JarEntry(packageFolder + "/" + file.getFileName()));
        Files.copy(file, jar);
        jar.closeEntry();
      }
    }
  }
}

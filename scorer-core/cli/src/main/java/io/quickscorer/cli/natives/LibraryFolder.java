// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.natives;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Loads the classes of libraries that are not on the class path. */
public final class LibraryFolder {
  private LibraryFolder() {}

  /** Returns a class loader for the class path and the JARs in a folder. */
  public static URLClassLoader loader(Path folder) throws IOException {
    List<URL> jars = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path file : files) {
        jars.add(file.toUri().toURL());
      }
    }
    return new URLClassLoader(jars.toArray(URL[]::new), LibraryFolder.class.getClassLoader());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.natives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads a native library that unpacks itself to a file with a fixed name in the temporary folder.
 *
 * <p>Without this class, a second JVM would overwrite the file that the first JVM has loaded. The
 * first JVM would then jump to an invalid address, at the latest when it unloads the library.
 * Therefore each JVM gets its own folder.
 */
public final class UnpackedLibrary {
  private static final String PROPERTY = "java.io.tmpdir";

  /** Makes a native library unpack itself into the folder {@code java.io.tmpdir} and loads it. */
  @FunctionalInterface
  public interface Loading {
    void load() throws IOException;
  }

  private UnpackedLibrary() {}

  /**
   * Loads a library from a new temporary folder, and deletes the library's file. During the call,
   * the system property {@code java.io.tmpdir} names the new folder.
   */
  public static synchronized void load(Loading loading) throws IOException {
    String common = System.getProperty(PROPERTY);
    Path own = Files.createTempDirectory("library");
    System.setProperty(PROPERTY, own.toString());
    try {
      loading.load();
    } finally {
      System.setProperty(PROPERTY, common);
      delete(own);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}

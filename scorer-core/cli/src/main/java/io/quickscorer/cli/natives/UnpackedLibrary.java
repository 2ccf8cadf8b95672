// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.natives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads a native library that unpacks itself into the temporary folder under a fixed name.
 *
 * <p>A second JVM would overwrite the file that the first has mapped: the linker's relocations are
 * lost, and the first JVM jumps to an invalid address, at the latest when the library is unloaded
 * at the JVM's end. Here each JVM uses its own folder.
 */
public final class UnpackedLibrary {
  private static final String PROPERTY = "java.io.tmpdir";

  /** Unpacks the library into the folder that {@code java.io.tmpdir} names, and loads it. */
  @FunctionalInterface
  public interface Loading {
    void load() throws IOException;
  }

  private UnpackedLibrary() {}

  /**
   * Loads a library without leaving files on disk. Meanwhile the JVM's property {@code
   * java.io.tmpdir} names another folder.
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

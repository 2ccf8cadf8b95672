// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.cli.natives.LibraryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The other libraries that can be timed, because their JARs are in a folder.
 *
 * @param found the libraries in the folder
 * @param missed the names of known libraries that are not in the folder
 */
public record Peers(List<Peer> found, List<String> missed) {
  private static final List<String> ALL = List.of("lightgbm", "xgboost", "onnxruntime", "catboost");

  /** Searches a folder for libraries. Their classes remain loaded. */
  public static Peers in(Path folder) {
    ClassLoader loader = loader(folder);
    List<Peer> found = new ArrayList<>();
    List<String> missed = new ArrayList<>();
    for (Peer peer : ServiceLoader.load(Peer.class, loader)) {
      try {
        Class.forName(peer.libraryClass(), false, loader);
        found.add(peer);
      } catch (ClassNotFoundException | LinkageError e) {
        missed.add(peer.name());
      }
    }
    return new Peers(found, found.isEmpty() && missed.isEmpty() ? ALL : missed);
  }

  private static ClassLoader loader(Path folder) {
    try {
      return Files.isDirectory(folder)
          ? LibraryFolder.loader(folder)
          : Peers.class.getClassLoader();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

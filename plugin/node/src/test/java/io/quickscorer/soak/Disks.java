// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A small file system of its own for each node's data, in memory, where this process may mount one:
 * as root on Linux. It can be filled to the last byte.
 */
final class Disks implements AutoCloseable {
  private static final String SIZE = "size=256m";
  private static final int[] BLOCKS = {1 << 20, 4096, 1};

  private final List<Path> mounted = new ArrayList<>();

  /**
   * @param folder of a {@link RealCluster} that has not been started
   */
  Disks(Path folder) throws IOException, InterruptedException {
    for (int node = 0; node < RealCluster.NODES; node++) {
      Path data = Files.createDirectories(folder.resolve(RealCluster.name(node)));
      if (!run("mount", "-t", "tmpfs", "-o", SIZE, "tmpfs", data.toString())) {
        System.out.println("no file systems of their own: that takes root on Linux");
        return;
      }
      mounted.add(data);
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false; // No such program.
    }
  }

  /** Whether each node has one. */
  boolean areReal() {
    return mounted.size() == RealCluster.NODES;
  }

  private static Path ballast(Path disk) {
    return disk.resolve("ballast");
  }

  /** Leaves no byte of a node's disk, of what the node has freed since the last time either. */
  void fill(int node) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(
            ballast(mounted.get(node)), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int block : BLOCKS) {
        fill(out, new byte[block]);
      }
    } catch (IOException e) {
      // Closing says so once more.
    }
  }

  private static void fill(OutputStream out, byte[] block) {
    try {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      // Full.
    }
  }

  /** Takes away what fills them. */
  void free() throws IOException {
    for (Path disk : mounted) {
      Files.deleteIfExists(ballast(disk));
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (Path disk : mounted) {
      run("umount", disk.toString());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.gateway.MetadataStateFormat;

/**
 * A value that a node keeps over a restart: a file in its data folder, in the server's own format.
 * Failures are logged, for a node does without. Safe for use by several threads.
 */
final class NodeFile<T> {
  private static final Logger LOGGER = LogManager.getLogger(NodeFile.class);

  private final MetadataStateFormat<T> format;
  private final String what;
  private final Path[] folders;
  private T written;

  /**
   * @param what the file holds, for the log
   * @param none what it is as long as there is no file
   * @param data the node's data folders; none for a node without
   */
  public NodeFile(MetadataStateFormat<T> format, String what, T none, Path... data) {
    this.format = format;
    this.what = what;
    this.written = none;
    this.folders =
        Arrays.stream(data).map(path -> path.resolve("quickscorer")).toArray(Path[]::new);
  }

  /** Reads what was written before; what can't be read is as if it had never been. */
  public synchronized T read() {
    try {
      T read = format.loadLatestState(LOGGER, NamedXContentRegistry.EMPTY, folders);
      written = read == null ? written : read;
    } catch (IOException | RuntimeException e) {
      LOGGER.warn("could not read " + what, e);
    }
    return written;
  }

  /** Writes a state unless it is what was written last. */
  public synchronized void write(T state) {
    if (folders.length == 0 || state.equals(written)) {
      return;
    }
    try {
      format.writeAndCleanup(state, folders);
      written = state;
    } catch (IOException | RuntimeException e) {
      LOGGER.warn("could not write " + what, e);
    }
  }
}

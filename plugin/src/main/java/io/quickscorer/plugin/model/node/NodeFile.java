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
 * A value that is stored in a file in the node's data folder, so that it survives a restart. The
 * file has OpenSearch's own format. If reading or writing fails, this is only logged, because a
 * node can work without the value. Safe for use by several threads.
 */
final class NodeFile<T> {
  private static final Logger LOGGER = LogManager.getLogger(NodeFile.class);

  private final MetadataStateFormat<T> format;
  private final String what;
  private final Path[] folders;
  private T written;

  /**
   * Creates an object for a file, without reading the file.
   *
   * @param what the content of the file, for the log
   * @param none the value to use if there is no readable file
   * @param data the data folders of the node; if there is none, nothing is read or written
   */
  public NodeFile(MetadataStateFormat<T> format, String what, T none, Path... data) {
    this.format = format;
    this.what = what;
    this.written = none;
    this.folders =
        Arrays.stream(data).map(path -> path.resolve("quickscorer")).toArray(Path[]::new);
  }

  /**
   * Returns the value that was written last. If the file cannot be read, returns {@code none}, the
   * constructor's parameter.
   */
  public synchronized T read() {
    try {
      T read = format.loadLatestState(LOGGER, NamedXContentRegistry.EMPTY, folders);
      written = read == null ? written : read;
    } catch (IOException | RuntimeException e) {
      LOGGER.warn("could not read " + what, e);
    }
    return written;
  }

  /** Writes a value to the file. Does nothing if the value is equal to the last one written. */
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

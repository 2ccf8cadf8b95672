// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import java.io.IOException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;

/**
 * The version of the wire format, in which the plugin's nodes send data to each other. Two builds
 * of the plugin for the same OpenSearch version can have different formats. Therefore, each node
 * publishes the highest version that it can read, as a node attribute. Each stream starts with its
 * version.
 *
 * <p>To send new data: raise {@link #CURRENT}, write the new data only if the {@link WireLevel} of
 * the receiving nodes supports it, and read all versions that releases have written.
 *
 * <p>The format of a version is final when a release contains it. Before that, builds of different
 * commits must not run in the same cluster, even if they have the same version.
 */
public final class Wire {
  /** The node attribute with the version of the wire format that the node can read. */
  public static final String ATTRIBUTE = "quickscorer.wire";

  /**
   * The version of the wire format that this build writes and reads. A node without the plugin has
   * version 0.
   */
  public static final int CURRENT = 1;

  private Wire() {}

  /** Writes the version of the wire format at the start of a stream. */
  public static void head(StreamOutput out) throws IOException {
    out.writeVInt(CURRENT);
  }

  /**
   * Reads and checks the version of the wire format at the start of a stream.
   *
   * @throws OpenSearchStatusException (503) if a build with another version wrote the stream
   */
  public static void head(StreamInput in) throws IOException {
    int version = in.readVInt();
    if (version != CURRENT) {
      throw new OpenSearchStatusException(
          "a node sent data in wire version [{}] of the quickscorer plugin, but this node reads"
              + " version [{}]; install the same build on all nodes,"
              + " GET _cat/nodeattrs shows their versions",
          RestStatus.SERVICE_UNAVAILABLE,
          version,
          CURRENT);
    }
  }
}

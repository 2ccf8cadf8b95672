// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import java.io.IOException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;

/**
 * The plugin's own wire version. The server's version does not tell two builds of the plugin on one
 * OpenSearch apart, so each node says in an attribute what it understands, and each stream says at
 * its head what it is written in.
 *
 * <p>How do I send something new? Raise {@link #CURRENT}, write what is new only where the {@link
 * WireLevel} of those that read it has it, and read each version that a release has written.
 *
 * <p>A version is fixed by a release. Until then builds of two commits that both say {@link
 * #CURRENT} are not for one cluster.
 */
public final class Wire {
  /** The node attribute that has the version which a node understands. */
  public static final String ATTRIBUTE = "quickscorer.wire";

  /** The version of this build; 0 means none. */
  public static final int CURRENT = 1;

  private Wire() {}

  /** Writes the head of a stream. */
  public static void head(StreamOutput out) throws IOException {
    out.writeVInt(CURRENT);
  }

  /**
   * Reads the head of a stream.
   *
   * @throws OpenSearchStatusException (503) if another build wrote it
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

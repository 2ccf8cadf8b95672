// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import java.io.IOException;
import java.util.List;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;

/**
 * The plugin's own wire version. The server's version does not tell two builds of the plugin on one
 * OpenSearch apart, so each node says in an attribute what it understands, and each stream says at
 * its head what it is written in.
 *
 * <p>The head is a variable-length integer: the version, negated. Streams of version 1 have none;
 * those that are still read begin with a count, which is never negative. A build of version 1 that
 * gets a head takes it for a negative count and fails cleanly.
 *
 * <p>How do I send something new? Raise {@link #CURRENT}, ask {@link #version(StreamOutput)} where
 * it is written and {@link #version(StreamInput)} where it is read, and where an older node cannot
 * do without it, throw {@link #behind}.
 *
 * <p>A version is fixed by a release. Until then builds of two commits that both say {@link
 * #CURRENT} are not for one cluster.
 */
public final class Wire {
  /** The node attribute that has the version which a node understands. */
  public static final String ATTRIBUTE = "quickscorer.wire";

  /** The first version, which had neither head nor attribute: enums and kinds by their places. */
  public static final int FIRST = 1;

  /** Heads, enums and kinds by name, checksums in manifests. */
  public static final int CURRENT = 2;

  private Wire() {}

  /**
   * Begins a stream that all nodes of a level understand.
   *
   * @return what to write the rest to; need not be closed
   */
  public static StreamOutput begin(StreamOutput out, WireLevel level) throws IOException {
    if (level.version() > FIRST) {
      out.writeVInt(-level.version());
    }
    return level.isCurrent() ? out : new WireOutput(out, level);
  }

  /**
   * Begins to read a stream that one {@link #begin(StreamOutput, WireLevel)} began.
   *
   * @return what to read the rest from; need not be closed
   * @throws OpenSearchStatusException (503) if a newer build wrote it
   */
  public static StreamInput begin(StreamInput in) throws IOException {
    int first = in.readVInt();
    if (first >= 0) {
      return new WireInput(in, FIRST, first);
    }
    if (-first > CURRENT) {
      throw foreign(-first);
    }
    return -first == CURRENT ? in : new WireInput(in, -first, null);
  }

  /** Writes the head of a stream that only nodes of this version read. */
  public static void head(StreamOutput out) throws IOException {
    out.writeVInt(-CURRENT);
  }

  /**
   * Reads the head of a stream that only nodes of this version write.
   *
   * @throws OpenSearchStatusException (503) if another build wrote it
   */
  public static void head(StreamInput in) throws IOException {
    int first = in.readVInt();
    if (first != -CURRENT) {
      throw foreign(first < 0 ? -first : FIRST);
    }
  }

  /** The version that a stream is written in. */
  public static int version(StreamOutput out) {
    return out instanceof WireOutput ours ? ours.level().version() : CURRENT;
  }

  /** The version that a stream was written in. */
  public static int version(StreamInput in) {
    return in instanceof WireInput ours ? ours.version() : CURRENT;
  }

  /**
   * Writes which of several forms follows, by its name.
   *
   * @param places the names that the first version knew; there it is the place in this list
   */
  public static void writeName(StreamOutput out, String name, List<String> places)
      throws IOException {
    if (version(out) > FIRST) {
      out.writeString(name);
      return;
    }
    int place = places.indexOf(name);
    if (place < 0) {
      throw behind(out, "[" + name + "]");
    }
    out.writeByte((byte) place);
  }

  /** Reads what {@link #writeName} wrote. */
  public static String readName(StreamInput in, List<String> places) throws IOException {
    if (version(in) > FIRST) {
      return in.readString();
    }
    int place = in.readByte();
    if (place < 0 || place >= places.size()) {
      throw new IOException("unknown form " + place + ", expected 0.." + (places.size() - 1));
    }
    return places.get(place);
  }

  /**
   * The failure of something that the stream's version cannot say: 503, naming a node that is
   * behind.
   *
   * @param what it is, as the request calls it
   */
  public static OpenSearchStatusException behind(StreamOutput out, String what) {
    return (out instanceof WireOutput ours ? ours.level() : WireLevel.ALL_CURRENT).behind(what);
  }

  private static OpenSearchStatusException foreign(int version) {
    return new OpenSearchStatusException(
        "a node sent this in wire version [{}] of the quickscorer plugin, this node's build"
            + " understands [{}]; install the same build on all nodes,"
            + " GET _cat/nodeattrs shows which are behind",
        RestStatus.SERVICE_UNAVAILABLE,
        version,
        CURRENT);
  }
}

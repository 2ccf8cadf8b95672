// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * One writing of a document.
 *
 * @param source null if it was deleted
 */
record ShardDocument(
    String id, @Nullable BytesReference source, long number, long term, long version)
    implements Writeable {
  ShardDocument(StreamInput in) throws IOException {
    this(
        in.readString(),
        in.readBoolean() ? in.readBytesReference() : null,
        in.readZLong(),
        in.readZLong(),
        in.readZLong());
  }

  boolean exists() {
    return source != null;
  }

  /** Whether this was written after another writing. */
  boolean isAfter(@Nullable ShardDocument other) {
    return other == null || term > other.term || (term == other.term && number > other.number);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeString(id);
    out.writeBoolean(source != null);
    if (source != null) {
      out.writeBytesReference(source);
    }
    out.writeZLong(number);
    out.writeZLong(term);
    out.writeZLong(version);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * A record that can be sent to another node. Its components are written one after the other:
 * numbers, strings, enums, lists, maps, other records, and any {@link Writeable}. A component that
 * can be null must have the annotation {@code @Nullable}.
 */
public interface WireRecord extends Writeable {
  @Override
  default void writeTo(StreamOutput out) throws IOException {
    WireForm.of(getClass()).write(out, this);
  }

  /**
   * Reads a record from a message that {@link #writeTo} wrote.
   *
   * @param type the class of the record
   */
  static <R> R read(StreamInput in, Class<R> type) throws IOException {
    return type.cast(WireForm.of(type).read(in));
  }

  /** Returns a reader of records of a class. */
  static <R> Reader<R> reader(Class<R> type) {
    return in -> read(in, type);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * A record whose wire form is its components, one after the other: numbers, texts, enums, lists,
 * maps, other records, and any other {@link Writeable}. A component that may be null is annotated
 * with {@code @Nullable}.
 */
public interface WireRecord extends Writeable {
  @Override
  default void writeTo(StreamOutput out) throws IOException {
    WireForm.of(getClass()).write(out, this);
  }

  /**
   * Reads what {@link #writeTo} wrote.
   *
   * @param type a record
   */
  static <R> R read(StreamInput in, Class<R> type) throws IOException {
    return type.cast(WireForm.of(type).read(in));
  }

  /** Returns a reader of such records. */
  static <R> Reader<R> reader(Class<R> type) {
    return in -> read(in, type);
  }
}

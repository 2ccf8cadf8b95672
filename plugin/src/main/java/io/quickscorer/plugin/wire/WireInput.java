// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.NamedWriteableAwareStreamInput;
import org.opensearch.core.common.io.stream.StreamInput;

/** A stream from a node that is behind. */
final class WireInput extends NamedWriteableAwareStreamInput {
  private final int version;

  /** The count that stood where later versions have a head, until it is read. */
  private @Nullable Integer first;

  WireInput(StreamInput delegate, int version, @Nullable Integer first) {
    super(delegate, delegate.namedWriteableRegistry());
    this.version = version;
    this.first = first;
  }

  int version() {
    return version;
  }

  @Override
  public int readVInt() throws IOException {
    if (first == null) {
      return super.readVInt();
    }
    int read = first;
    first = null;
    return read;
  }
}

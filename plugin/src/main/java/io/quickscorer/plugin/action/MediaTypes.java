// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.MediaType;

/** Media types on the wire. */
public final class MediaTypes {
  private MediaTypes() {}

  public static void write(@Nullable MediaType type, StreamOutput out) throws IOException {
    out.writeOptionalString(type == null ? null : type.mediaTypeWithoutParameters());
  }

  public static @Nullable MediaType read(StreamInput in) throws IOException {
    String name = in.readOptionalString();
    return name == null ? null : MediaType.fromMediaType(name);
  }
}

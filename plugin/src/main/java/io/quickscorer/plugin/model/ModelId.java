// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * A model's name pinned to one immutable version.
 *
 * @param name the name users write
 * @param version a hash over the model file, the feature set and the feature map; what it names
 *     never changes
 */
public record ModelId(String name, String version) implements Writeable {
  public ModelId(StreamInput in) throws IOException {
    this(in.readString(), in.readString());
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeString(name);
    out.writeString(version);
  }

  @Override
  public String toString() {
    return name + "@" + version;
  }
}

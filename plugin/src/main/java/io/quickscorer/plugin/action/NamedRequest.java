// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Asks for something by its name. */
public final class NamedRequest extends ActionRequest {
  private final String name;

  public NamedRequest(String name) {
    this.name = name;
  }

  public NamedRequest(StreamInput in) throws IOException {
    super(in);
    Wire.head(in);
    name = in.readString();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    Wire.head(out);
    out.writeString(name);
  }

  public String name() {
    return name;
  }

  @Override
  public @Nullable ActionRequestValidationException validate() {
    return null;
  }
}

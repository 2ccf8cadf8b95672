// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.support.clustermanager.AcknowledgedRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.UUIDs;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * A request to change the version to which a model's name points, or the models to which an alias
 * points. Nodes send it to the cluster manager; users never send it.
 *
 * @param <C> the type of the change
 */
final class ActivationRequest<C extends ActivationRequest.Change>
    extends AcknowledgedRequest<ActivationRequest<C>> {
  private static final long NONE = -1;

  private final String name;
  private final String id;
  private final C change;
  private long seen = NONE;

  /** A change of a model's name or of an alias. */
  public interface Change extends WireRecord {}

  public ActivationRequest(String name, C change) {
    this.name = name;
    this.id = UUIDs.randomBase64UUID();
    this.change = change;
  }

  ActivationRequest(StreamInput in, Class<C> type) throws IOException {
    super(in);
    Wire.head(in);
    name = in.readString();
    id = in.readString();
    seen = in.readZLong();
    change = WireRecord.read(in, type);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    Wire.head(out);
    out.writeString(name);
    out.writeString(id);
    out.writeZLong(seen);
    change.writeTo(out);
  }

  @Override
  public @Nullable ActionRequestValidationException validate() {
    return null;
  }

  public String name() {
    return name;
  }

  public C change() {
    return change;
  }

  /** Returns the id of the request, which stays the same if the request is sent again. */
  String id() {
    return id;
  }

  /** Returns whether a node has sent the request; only then {@link #seen} returns a version. */
  boolean isSent() {
    return seen != NONE;
  }

  /** Returns the version of the cluster state that the sending node had. */
  long seen() {
    return seen;
  }

  /** Marks the request as sent by a node that has the given cluster state. */
  void sentWith(ClusterState state) {
    seen = state.version();
  }
}

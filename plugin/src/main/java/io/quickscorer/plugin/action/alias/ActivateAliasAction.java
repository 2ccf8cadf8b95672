// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.alias;

import io.quickscorer.plugin.action.ActivationRequest;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * Moves an alias to versions that every data node has compiled, or takes it away, in the cluster
 * state. Sent by nodes to the cluster manager, never by users.
 */
public final class ActivateAliasAction extends ActionType<ActivateAliasAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/alias/publish";
  public static final ActivateAliasAction INSTANCE = new ActivateAliasAction();

  private ActivateAliasAction() {
    super(NAME, Response::new);
  }

  /** What to publish. */
  public static final class Request extends ActivationRequest<Request> {
    private final @Nullable Shares target;
    private final List<ModelId> loaded;
    private final @Nullable Shares ifTarget;

    private Request(
        String name, @Nullable Shares target, List<ModelId> loaded, @Nullable Shares ifTarget) {
      super(name);
      this.target = target;
      this.loaded = List.copyOf(loaded);
      this.ifTarget = ifTarget;
    }

    /**
     * Moves the alias.
     *
     * @param loaded the versions of the target's models that are loaded everywhere
     * @param ifTarget what the alias must stand for until then, or null for whatever
     */
    static Request move(
        String name, Shares target, List<ModelId> loaded, @Nullable Shares ifTarget) {
      return new Request(name, target, loaded, ifTarget);
    }

    /** Takes the alias away. */
    static Request delete(String name) {
      return new Request(name, null, List.of(), null);
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      target = in.readOptionalWriteable(WireRecord.reader(Shares.class));
      loaded = in.readList(WireRecord.reader(ModelId.class));
      ifTarget = in.readOptionalWriteable(WireRecord.reader(Shares.class));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeOptionalWriteable(target);
      out.writeList(loaded);
      out.writeOptionalWriteable(ifTarget);
    }

    /** Null to take the alias away. */
    @Nullable Shares target() {
      return target;
    }

    List<ModelId> loaded() {
      return loaded;
    }

    @Nullable Shares ifTarget() {
      return ifTarget;
    }
  }

  /** The alias before and after, and whether all nodes have it so. */
  public static final class Response extends ActionResponse {
    private final boolean acknowledged;
    private final @Nullable ModelAlias before;
    private final @Nullable ModelAlias after;

    public Response(boolean acknowledged, @Nullable ModelAlias before, @Nullable ModelAlias after) {
      this.acknowledged = acknowledged;
      this.before = before;
      this.after = after;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      acknowledged = in.readBoolean();
      before = in.readOptionalWriteable(WireRecord.reader(ModelAlias.class));
      after = in.readOptionalWriteable(WireRecord.reader(ModelAlias.class));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeBoolean(acknowledged);
      out.writeOptionalWriteable(before);
      out.writeOptionalWriteable(after);
    }

    /** Whether all nodes have it so; if not, those that are behind will. */
    boolean isAcknowledged() {
      return acknowledged;
    }

    /** Null if there was none of that name. */
    @Nullable ModelAlias before() {
      return before;
    }

    /** Null if it was taken away. */
    @Nullable ModelAlias after() {
      return after;
    }
  }
}

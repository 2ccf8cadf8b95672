// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.alias;

import io.quickscorer.plugin.action.ActivationRequest;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * Moves an alias to a version that every data node has compiled, or takes it away, in the cluster
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
    private final @Nullable ModelId target;
    private final @Nullable String ifModel;

    private Request(String name, @Nullable ModelId target, @Nullable String ifModel) {
      super(name);
      this.target = target;
      this.ifModel = ifModel;
    }

    /**
     * Moves the alias.
     *
     * @param target the version that is loaded everywhere
     * @param ifModel the model that the alias must stand for until then, or null for whatever
     */
    static Request move(String name, ModelId target, @Nullable String ifModel) {
      return new Request(name, target, ifModel);
    }

    /** Takes the alias away. */
    static Request delete(String name) {
      return new Request(name, null, null);
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      target = in.readOptionalWriteable(ModelId::new);
      ifModel = in.readOptionalString();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeOptionalWriteable(target);
      out.writeOptionalString(ifModel);
    }

    /** Null to take the alias away. */
    @Nullable ModelId target() {
      return target;
    }

    @Nullable String ifModel() {
      return ifModel;
    }
  }

  /** The alias before and after. */
  public static final class Response extends ActionResponse {
    private final @Nullable ModelAlias before;
    private final @Nullable ModelAlias after;

    public Response(@Nullable ModelAlias before, @Nullable ModelAlias after) {
      this.before = before;
      this.after = after;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      before = in.readOptionalWriteable(ModelAlias::new);
      after = in.readOptionalWriteable(ModelAlias::new);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeOptionalWriteable(before);
      out.writeOptionalWriteable(after);
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.action.ActivationRequest;
import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * Makes a stored version the current one of its name, or takes a name away, in the cluster state.
 * Sent by nodes to the cluster manager, never by users.
 */
public final class ActivateModelAction extends ActionType<ActivateModelAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/model/publish";
  public static final ActivateModelAction INSTANCE = new ActivateModelAction();

  private ActivateModelAction() {
    super(NAME, Response::new);
  }

  /** What to publish. */
  public static final class Request extends ActivationRequest<Request> {
    private final @Nullable ModelManifest manifest;
    private final Precondition precondition;
    private final boolean withAliases;
    private final boolean confirmation;

    private Request(
        String name,
        @Nullable ModelManifest manifest,
        Precondition precondition,
        boolean withAliases,
        boolean confirmation) {
      super(name);
      this.manifest = manifest;
      this.precondition = precondition;
      this.withAliases = withAliases;
      this.confirmation = confirmation;
    }

    /** Makes that version current. */
    static Request put(ModelManifest manifest, Precondition precondition) {
      return new Request(manifest.id().name(), manifest, precondition, false, false);
    }

    /** Leaves all as it is if that version is current, as some node has it; else it is stale. */
    static Request confirm(ModelManifest manifest) {
      return new Request(manifest.id().name(), manifest, Precondition.NONE, false, true);
    }

    /** Takes the name away, unless an alias stands for it. */
    static Request delete(String name) {
      return new Request(name, null, Precondition.NONE, false, false);
    }

    /** Takes a version's name away if it is still that version's, and its aliases with it. */
    static Request deleteWithAliases(ModelId id) {
      return new Request(id.name(), null, new Precondition(false, id.version()), true, false);
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      manifest = in.readOptionalWriteable(WireRecord.reader(ModelManifest.class));
      precondition = WireRecord.read(in, Precondition.class);
      withAliases = in.readBoolean();
      confirmation = in.readBoolean();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeOptionalWriteable(manifest);
      precondition.writeTo(out);
      out.writeBoolean(withAliases);
      out.writeBoolean(confirmation);
    }

    /**
     * A version may have been published, replaced and deleted before its request was refused: it
     * must be stored anew.
     */
    @Override
    protected boolean isRepeatable() {
      return manifest == null;
    }

    /** Null to take the name away. */
    @Nullable ModelManifest manifest() {
      return manifest;
    }

    Precondition precondition() {
      return precondition;
    }

    /** Whether nothing is to change. */
    boolean isConfirmation() {
      return confirmation;
    }

    /** Whether aliases of a name that is taken away go with it. */
    boolean withAliases() {
      return withAliases;
    }
  }

  /** What stood there before, and whether all nodes have it so. */
  public static final class Response extends ActionResponse {
    private final boolean acknowledged;
    private final @Nullable ModelManifest replaced;

    public Response(boolean acknowledged, @Nullable ModelManifest replaced) {
      this.acknowledged = acknowledged;
      this.replaced = replaced;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      acknowledged = in.readBoolean();
      replaced = in.readOptionalWriteable(WireRecord.reader(ModelManifest.class));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeBoolean(acknowledged);
      out.writeOptionalWriteable(replaced);
    }

    /** Whether all nodes have it so; if not, those that are behind will. */
    boolean isAcknowledged() {
      return acknowledged;
    }

    /** The manifest whose place was taken, or null if there was none. */
    @Nullable ModelManifest replaced() {
      return replaced;
    }
  }
}

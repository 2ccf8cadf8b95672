// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * Loads a stored version on the node that gets the request, ahead of its becoming current, or lets
 * go of it. Sent by nodes to each other, never by users.
 */
public final class LoadModelAction extends ActionType<LoadModelAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/model/load";
  public static final LoadModelAction INSTANCE = new LoadModelAction();

  private LoadModelAction() {
    super(NAME, Response::new);
  }

  /** Which version, and what to do. */
  public static final class Request extends ActionRequest {
    private final ModelManifest manifest;
    private final boolean release;

    /**
     * @param release whether to let go of it instead of loading it
     */
    public Request(ModelManifest manifest, boolean release) {
      this.manifest = manifest;
      this.release = release;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      manifest = new ModelManifest(in);
      release = in.readBoolean();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      manifest.writeTo(out);
      out.writeBoolean(release);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    ModelManifest manifest() {
      return manifest;
    }

    public boolean release() {
      return release;
    }
  }

  /** The version's state on that node, now that it is loaded. */
  public static final class Response extends ActionResponse {
    private final NodeModelState state;

    public Response(NodeModelState state) {
      this.state = state;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      state = new NodeModelState(in);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      state.writeTo(out);
    }

    NodeModelState state() {
      return state;
    }
  }
}

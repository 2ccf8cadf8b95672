// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;

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
      manifest = WireRecord.read(in, ModelManifest.class);
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

    @Override
    public String getDescription() {
      return (release ? "release of model [" : "load of model [") + manifest.id() + "]";
    }

    @Override
    public Task createTask(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new LoadTask(id, type, action, getDescription(), parent, headers);
    }
  }

  /** A task whose description says how far this node got. */
  static final class LoadTask extends Task {
    private volatile @Nullable Supplier<String> progress;

    private LoadTask(
        long id,
        String type,
        String action,
        String what,
        TaskId parent,
        Map<String, String> headers) {
      super(id, type, action, what, parent, headers);
    }

    /** Asked whenever somebody looks at the task, by any thread. */
    void follow(Supplier<String> asked) {
      progress = asked;
    }

    @Override
    public String getDescription() {
      Supplier<String> asked = progress;
      return super.getDescription() + (asked == null ? "" : ": " + asked.get());
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
      state = WireRecord.read(in, NodeModelState.class);
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

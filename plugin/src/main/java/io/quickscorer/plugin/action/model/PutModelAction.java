// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.action.MediaTypes;
import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.ProgressTask;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;

/** Stores a model under its name, has it loaded on all data nodes, and makes it the current one. */
public final class PutModelAction extends ActionType<PutModelAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/model/put";
  public static final PutModelAction INSTANCE = new PutModelAction();

  /** How long to wait for the nodes where the request does not say. */
  public static final TimeValue DEFAULT_TIMEOUT = TimeValue.timeValueSeconds(30);

  private PutModelAction() {
    super(NAME, Response::new);
  }

  /** A model as its user sent it. */
  public static final class Request extends ActionRequest {
    private final ModelUploadService.Body body;
    private final Precondition precondition;
    private final TimeValue timeout;
    private final boolean background;

    /**
     * @param timeout how long to wait for nodes that load the model
     */
    public Request(ModelUploadService.Body body, Precondition precondition, TimeValue timeout) {
      this(body, precondition, timeout, false);
    }

    /**
     * @param background whether the result is to be kept for the task API, because nobody waits
     */
    public Request(
        ModelUploadService.Body body,
        Precondition precondition,
        TimeValue timeout,
        boolean background) {
      this.background = background;
      this.body = body;
      this.precondition = precondition;
      this.timeout = timeout;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      body =
          new ModelUploadService.Body(
              in.readString(),
              in.readOptionalString(),
              in.readOptionalString(),
              in.readOptionalInt(),
              in.readOptionalString(),
              MediaTypes.read(in),
              in.readBytesReference(),
              in.readOptionalString(),
              in.readOptionalString());
      precondition = new Precondition(in);
      timeout = in.readTimeValue();
      background = in.readBoolean();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeString(body.name());
      out.writeOptionalString(body.featureSet());
      out.writeOptionalString(body.format());
      out.writeOptionalInt(body.output());
      out.writeOptionalString(body.model());
      MediaTypes.write(body.type(), out);
      out.writeBytesReference(body.bytes());
      out.writeOptionalString(body.bind());
      out.writeOptionalString(body.mismatch());
      precondition.writeTo(out);
      out.writeTimeValue(timeout);
      out.writeBoolean(background);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    /** An upload that is cancelled before it publishes the model leaves nothing behind. */
    @Override
    public Task createTask(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(
          id, type, action, getDescription(), "reading and compiling it", parent, headers);
    }

    @Override
    public boolean getShouldStoreResult() {
      return background;
    }

    @Override
    public String getDescription() {
      return "upload of model [" + body.name() + "]";
    }

    public ModelUploadService.Body body() {
      return body;
    }

    public Precondition precondition() {
      return precondition;
    }

    public TimeValue timeout() {
      return timeout;
    }
  }

  /** What an upload did. */
  public enum Result {
    /** There was no model of that name. */
    CREATED,
    /** Another version was replaced, or this one where its ranges differ or its file is lost. */
    UPDATED,
    /** This very version was there already, with the ranges that the upload gives, if any. */
    NOOP
  }

  /** What became of it. */
  public static final class Response extends ActionResponse implements StatusToXContentObject {
    private final ModelId id;
    private final Result result;
    private final boolean acknowledged;
    private final Map<String, Object> metadata;
    private final List<NodeModelState> nodes;

    /**
     * @param acknowledged whether it is current on all nodes; if not, those that are behind will
     *     have it so
     */
    public Response(
        ModelId id,
        Result result,
        boolean acknowledged,
        Map<String, Object> metadata,
        List<NodeModelState> nodes) {
      this.id = id;
      this.result = result;
      this.acknowledged = acknowledged;
      this.metadata = metadata;
      this.nodes = List.copyOf(nodes);
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      id = new ModelId(in);
      result = EnumNames.read(in, Result.class);
      acknowledged = in.readBoolean();
      metadata = in.readMap();
      nodes = in.readList(NodeModelState::new);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      id.writeTo(out);
      EnumNames.write(out, result);
      out.writeBoolean(acknowledged);
      out.writeMap(metadata);
      out.writeList(nodes);
    }

    public ModelId id() {
      return id;
    }

    public Result result() {
      return result;
    }

    /** Whether it is current on all nodes; if not, those that are behind will have it so. */
    public boolean isAcknowledged() {
      return acknowledged;
    }

    /** The model on each data node. */
    public List<NodeModelState> nodes() {
      return nodes;
    }

    @Override
    public RestStatus status() {
      return result == Result.CREATED ? RestStatus.CREATED : RestStatus.OK;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      builder.field("name", id.name()).field("version", id.version());
      builder.field("result", result.name().toLowerCase(Locale.ROOT));
      builder.field("acknowledged", acknowledged);
      for (Map.Entry<String, Object> entry : metadata.entrySet()) {
        builder.field(entry.getKey(), entry.getValue());
      }
      NodeModelState.toXContent(nodes, builder, params);
      return builder.endObject();
    }
  }
}

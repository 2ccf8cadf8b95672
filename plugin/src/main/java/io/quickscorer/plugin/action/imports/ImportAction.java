// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.imports;

import io.quickscorer.plugin.action.MediaTypes;
import io.quickscorer.plugin.action.ProgressTask;
import io.quickscorer.plugin.action.featureset.PutFeatureSetAction;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;

/**
 * Takes over a feature set or a model of the learning-to-rank plugin. What it stores it stores by
 * the actions for that, which the user must be allowed to use.
 */
public final class ImportAction extends ActionType<ImportAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/import";
  public static final ImportAction INSTANCE = new ImportAction();

  private ImportAction() {
    super(NAME, Response::new);
  }

  /** The document as it was read there, and what it is to be called here. */
  public static final class Request extends ActionRequest {
    private final @Nullable String name;
    private final @Nullable String featureSet;
    private final @Nullable MediaType type;
    private final BytesReference body;
    private final TimeValue timeout;

    /**
     * @param name of the model, or of the set if it is one; null for what the document says
     * @param featureSet name of a model's set; null for what the document says
     */
    public Request(
        @Nullable String name,
        @Nullable String featureSet,
        @Nullable MediaType type,
        BytesReference body,
        TimeValue timeout) {
      this.name = name;
      this.featureSet = featureSet;
      this.type = type;
      this.body = body;
      this.timeout = timeout;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      name = in.readOptionalString();
      featureSet = in.readOptionalString();
      type = MediaTypes.read(in);
      body = in.readBytesReference();
      timeout = in.readTimeValue();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeOptionalString(name);
      out.writeOptionalString(featureSet);
      MediaTypes.write(type, out);
      out.writeBytesReference(body);
      out.writeTimeValue(timeout);
    }

    @Override
    public Task createTask(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(id, type, action, "import", "reading it", parent, headers);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    @Nullable String name() {
      return name;
    }

    @Nullable String featureSet() {
      return featureSet;
    }

    @Nullable MediaType type() {
      return type;
    }

    BytesReference body() {
      return body;
    }

    TimeValue timeout() {
      return timeout;
    }
  }

  /** What was stored. */
  public static final class Response extends ActionResponse implements StatusToXContentObject {
    private final PutFeatureSetAction.Response featureSet;
    private final PutModelAction.@Nullable Response model;

    public Response(
        PutFeatureSetAction.Response featureSet, PutModelAction.@Nullable Response model) {
      this.featureSet = featureSet;
      this.model = model;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      featureSet = new PutFeatureSetAction.Response(in);
      model = in.readOptionalWriteable(PutModelAction.Response::new);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      featureSet.writeTo(out);
      out.writeOptionalWriteable(model);
    }

    public PutFeatureSetAction.Response featureSet() {
      return featureSet;
    }

    /** Null if the document was a feature set. */
    public PutModelAction.@Nullable Response model() {
      return model;
    }

    @Override
    public RestStatus status() {
      return model == null ? featureSet.status() : model.status();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("feature_set", featureSet);
      if (model != null) {
        builder.field("model", model);
      }
      return builder.endObject();
    }
  }
}

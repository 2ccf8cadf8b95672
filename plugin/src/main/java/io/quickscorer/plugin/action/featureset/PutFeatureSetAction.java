// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import io.quickscorer.plugin.action.MediaTypes;
import io.quickscorer.plugin.action.ProgressTask;
import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.model.store.FeatureSetStore.Written;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
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

/** Stores a feature set under its name. */
public final class PutFeatureSetAction extends ActionType<PutFeatureSetAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/feature_set/put";
  public static final PutFeatureSetAction INSTANCE = new PutFeatureSetAction();

  private PutFeatureSetAction() {
    super(NAME, Response::new);
  }

  /** The feature set as its user wrote it. */
  public static final class Request extends ActionRequest {
    private final String name;
    private final boolean create;
    private final @Nullable String index;
    private final @Nullable MediaType type;
    private final BytesReference body;

    /**
     * @param create whether to fail where there is one of that name
     * @param index where its fields must be, as in a search's path; null not to look
     * @param type the body's media type, null where there is no body
     */
    public Request(
        String name,
        boolean create,
        @Nullable String index,
        @Nullable MediaType type,
        BytesReference body) {
      this.name = name;
      this.create = create;
      this.index = index;
      this.type = type;
      this.body = body;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      name = in.readString();
      create = in.readBoolean();
      index = in.readOptionalString();
      type = MediaTypes.read(in);
      body = in.readBytesReference();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeString(name);
      out.writeBoolean(create);
      out.writeOptionalString(index);
      MediaTypes.write(type, out);
      out.writeBytesReference(body);
    }

    @Override
    public Task createTask(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(
          id, type, action, "feature set [" + name + "]", "checking it", parent, headers);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    public String name() {
      return name;
    }

    public boolean create() {
      return create;
    }

    public @Nullable String index() {
      return index;
    }

    public @Nullable MediaType type() {
      return type;
    }

    public BytesReference body() {
      return body;
    }
  }

  /** What became of it. Warnings are in the order of the features. */
  public static final class Response extends ActionResponse implements StatusToXContentObject {
    private final String name;
    private final Written written;
    private final int features;
    private final boolean usesScripts;
    private final List<String> warnings;

    /**
     * @param warnings what is allowed and yet probably not meant
     */
    public Response(FeatureSet set, Written written, List<String> warnings) {
      this.name = set.name();
      this.written = written;
      this.features = set.features().size();
      this.usesScripts = set.usesScripts();
      this.warnings = List.copyOf(warnings);
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      name = in.readString();
      written = new Written(in);
      features = in.readVInt();
      usesScripts = in.readBoolean();
      warnings = in.readStringList();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeString(name);
      written.writeTo(out);
      out.writeVInt(features);
      out.writeBoolean(usesScripts);
      out.writeStringCollection(warnings);
    }

    /** Whether there was none of that name. */
    public boolean created() {
      return written.created();
    }

    /** The writing that made it. */
    public Written written() {
      return written;
    }

    public String name() {
      return name;
    }

    @Override
    public RestStatus status() {
      return created() ? RestStatus.CREATED : RestStatus.OK;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder
          .startObject()
          .field("name", name)
          .field("result", created() ? "created" : "updated")
          .field("features", features)
          .field("warnings", warnings);
      if (usesScripts) {
        builder.field(FeatureSet.USES_SCRIPTS, true);
      }
      return builder.endObject();
    }
  }
}

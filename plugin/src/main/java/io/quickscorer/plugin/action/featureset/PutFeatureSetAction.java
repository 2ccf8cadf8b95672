// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import io.quickscorer.plugin.action.MediaTypes;
import io.quickscorer.plugin.feature.set.FeatureSet;
import java.io.IOException;
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
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;

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
    private final @Nullable MediaType type;
    private final BytesReference body;

    /**
     * @param create whether to fail where there is one of that name
     * @param type the body's media type, null where there is no body
     */
    public Request(String name, boolean create, @Nullable MediaType type, BytesReference body) {
      this.name = name;
      this.create = create;
      this.type = type;
      this.body = body;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      name = in.readString();
      create = in.readBoolean();
      type = MediaTypes.read(in);
      body = in.readBytesReference();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      out.writeString(name);
      out.writeBoolean(create);
      MediaTypes.write(type, out);
      out.writeBytesReference(body);
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

    public @Nullable MediaType type() {
      return type;
    }

    public BytesReference body() {
      return body;
    }
  }

  /** What became of it. */
  public static final class Response extends ActionResponse implements StatusToXContentObject {
    private final String name;
    private final boolean created;
    private final int features;
    private final boolean usesScripts;

    /**
     * @param created whether there was none of that name
     */
    public Response(FeatureSet set, boolean created) {
      this.name = set.name();
      this.created = created;
      this.features = set.features().size();
      this.usesScripts = set.usesScripts();
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      name = in.readString();
      created = in.readBoolean();
      features = in.readVInt();
      usesScripts = in.readBoolean();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeString(name);
      out.writeBoolean(created);
      out.writeVInt(features);
      out.writeBoolean(usesScripts);
    }

    /** Whether there was none of that name. */
    public boolean created() {
      return created;
    }

    public String name() {
      return name;
    }

    @Override
    public RestStatus status() {
      return created ? RestStatus.CREATED : RestStatus.OK;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder
          .startObject()
          .field("name", name)
          .field("result", created ? "created" : "updated")
          .field("features", features);
      if (usesScripts) {
        builder.field(FeatureSet.USES_SCRIPTS, true);
      }
      return builder.endObject();
    }
  }
}

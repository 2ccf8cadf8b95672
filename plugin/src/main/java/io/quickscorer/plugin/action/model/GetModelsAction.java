// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** Reads what is known of one model or of all, without their files. */
public final class GetModelsAction extends ActionType<GetModelsAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/model/get";
  public static final GetModelsAction INSTANCE = new GetModelsAction();

  private GetModelsAction() {
    super(NAME, Response::new);
  }

  /**
   * One model.
   *
   * @param metadata what its upload found out; empty if its stored form can't be read
   * @param nodes its state on each data node; empty in a listing
   */
  public record Model(
      ModelManifest manifest, Map<String, Object> metadata, List<NodeModelState> nodes)
      implements Writeable, ToXContentObject {
    Model(StreamInput in) throws IOException {
      this(new ModelManifest(in), in.readMap(), in.readList(NodeModelState::new));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      manifest.writeTo(out);
      out.writeMap(metadata);
      out.writeList(nodes);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      builder.field("name", manifest.id().name());
      builder.field("version", manifest.id().version());
      builder.field("created", Instant.ofEpochMilli(manifest.created()).toString());
      builder.field("sha256", manifest.sha256());
      builder.field("bytes", manifest.bytes());
      for (Map.Entry<String, Object> entry : metadata.entrySet()) {
        builder.field(entry.getKey(), entry.getValue());
      }
      if (!nodes.isEmpty()) {
        NodeModelState.toXContent(nodes, builder, params);
      }
      return builder.endObject();
    }
  }

  /** The models asked for, by name. */
  public static final class Response extends ActionResponse {
    private final List<Model> models;
    private final int total;

    /** The only one that was asked for. */
    public Response(Model only) {
      this(List.of(only), 1);
    }

    /**
     * @param total how many there are, of which these are a page
     */
    public Response(List<Model> models, int total) {
      this.models = List.copyOf(models);
      this.total = total;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      models = in.readList(Model::new);
      total = in.readVInt();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeList(models);
      out.writeVInt(total);
    }

    public List<Model> models() {
      return models;
    }

    /** How many there are, of which these are a page. */
    public int total() {
      return total;
    }
  }
}

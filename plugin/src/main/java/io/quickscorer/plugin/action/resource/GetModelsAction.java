// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.model.ModelManifest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** Reads what is known of one model or of all, without their files. */
public final class GetModelsAction {
  public static final LocalAction<ListRequest, ListRequest.Page<Model>> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/model/get");

  private GetModelsAction() {}

  /**
   * One model.
   *
   * @param metadata what its upload found out; empty if its stored form can't be read
   * @param nodes its state on each data node; empty in a listing
   */
  public record Model(
      ModelManifest manifest, Map<String, Object> metadata, List<NodeModelState> nodes)
      implements ToXContentObject {
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
}

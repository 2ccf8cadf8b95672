// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.store.FeatureSetStore.Written;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;

/** Stores a feature set under its name. */
public final class PutFeatureSetAction {
  public static final LocalAction<Request, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/feature_set/put");

  private PutFeatureSetAction() {}

  /**
   * The feature set as its user wrote it.
   *
   * @param create whether to fail where there is one of that name
   * @param index where its fields must be, as in a search's path; null not to look
   * @param type the body's media type, null where there is no body
   */
  public record Request(
      String name,
      boolean create,
      @Nullable String index,
      @Nullable MediaType type,
      BytesReference body)
      implements ValueRequest.Tracked {
    @Override
    public Task task(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(
          id, type, action, "feature set [" + name + "]", "checking it", parent, headers);
    }
  }

  /**
   * What became of it.
   *
   * @param written the writing that made it
   * @param warnings what is allowed and yet probably not meant, in the order of the features
   */
  public record Response(FeatureSet set, Written written, List<String> warnings)
      implements StatusToXContentObject {
    @Override
    public RestStatus status() {
      return written.created() ? RestStatus.CREATED : RestStatus.OK;
    }

    private String result() {
      if (written.created()) {
        return "created";
      }
      return written.equals(Written.NOTHING) ? "noop" : "updated";
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder
          .startObject()
          .field("name", set.name())
          .field("result", result())
          .field("features", set.features().size())
          .field("warnings", warnings);
      if (set.usesScripts()) {
        builder.field(FeatureSet.USES_SCRIPTS, true);
      }
      return builder.endObject();
    }
  }
}

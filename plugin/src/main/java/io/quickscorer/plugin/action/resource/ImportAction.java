// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.model.upload.ForeignDocument;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;

/**
 * Takes over a feature set or a model of the learning-to-rank plugin. What it stores it stores by
 * the actions for that, which the user must be allowed to use.
 */
public final class ImportAction {
  public static final LocalAction<Request, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/import");

  private ImportAction() {}

  /**
   * The document as it was read or posted there, and its name here.
   *
   * @param name of the model, or of the set if it is one; null for what the document says
   * @param featureSet name of a model's set; null for what the document says
   * @param missing see {@link ForeignDocument#parse}
   */
  public record Request(
      @Nullable String name,
      @Nullable String featureSet,
      @Nullable String missing,
      @Nullable MediaType type,
      BytesReference body,
      TimeValue timeout)
      implements ValueRequest.Tracked {
    @Override
    public Task task(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(id, type, action, "import", "reading it", parent, headers);
    }
  }

  /**
   * What was stored.
   *
   * @param missing the value of a query feature that does not match, {@code 0} or {@code keep}
   * @param model null if the document was a feature set
   */
  public record Response(
      PutFeatureSetAction.Response featureSet,
      String missing,
      PutModelAction.@Nullable Response model)
      implements StatusToXContentObject {
    @Override
    public RestStatus status() {
      return model == null ? featureSet.status() : model.status();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("feature_set", featureSet).field("missing", missing);
      if (model != null) {
        builder.field("model", model);
      }
      return builder.endObject();
    }
  }
}

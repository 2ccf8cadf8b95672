// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;

/** Stores a model under its name, has it loaded on all data nodes, and makes it the current one. */
public final class PutModelAction {
  public static final LocalAction<Request, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/model/put");

  /** How long to wait for the nodes where the request does not say. */
  public static final TimeValue DEFAULT_TIMEOUT = TimeValue.timeValueSeconds(30);

  private PutModelAction() {}

  /**
   * A model as its user sent it.
   *
   * @param timeout how long to wait for nodes that load the model
   * @param background whether the result is to be kept for the task API, because no client waits
   */
  public record Request(
      ModelUploadService.Body body,
      Precondition precondition,
      TimeValue timeout,
      boolean background)
      implements ValueRequest.Tracked {
    public Request(ModelUploadService.Body body, Precondition precondition, TimeValue timeout) {
      this(body, precondition, timeout, false);
    }

    /** An upload that is cancelled before it publishes the model leaves nothing behind. */
    @Override
    public Task task(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(
          id, type, action, description(), "reading and compiling it", parent, headers);
    }

    String description() {
      return "upload of model [" + body.name() + "]";
    }
  }

  /** What an upload did. */
  public enum Result {
    /** There was no model of that name. */
    CREATED,
    /** Another version was replaced, or this one where its ranges differ or its file is lost. */
    UPDATED,
    /** This very version was there already, with the ranges that the upload gives, if any. */
    NOOP;

    public RestStatus status() {
      return this == CREATED ? RestStatus.CREATED : RestStatus.OK;
    }
  }

  /**
   * What became of it.
   *
   * @param acknowledged whether it is current on all nodes; if not, those that are behind will have
   *     it so
   * @param nodes the model on each data node
   */
  public record Response(
      ModelId id,
      Result result,
      boolean acknowledged,
      Map<String, Object> metadata,
      List<NodeModelState> nodes)
      implements StatusToXContentObject {
    @Override
    public RestStatus status() {
      return result.status();
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

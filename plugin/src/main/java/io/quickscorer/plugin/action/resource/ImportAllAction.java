// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.ValueRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;

/**
 * Takes over what another cluster exported. What it stores it stores by the actions for that, which
 * the user must be allowed to use.
 */
public final class ImportAllAction {
  public static final LocalAction<Request, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/import/all");

  private ImportAllAction() {}

  /**
   * A piece of an export, or all of it.
   *
   * @param replace whether to replace what has the name of something imported and differs
   * @param timeout how long to wait for nodes that load a model
   * @param background whether the result is to be kept for the task API, because no client waits
   */
  public record Request(
      BytesReference lines, boolean replace, TimeValue timeout, boolean background)
      implements ValueRequest.Tracked {
    @Override
    public Task task(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(id, type, action, "import", "begins", parent, headers);
    }
  }

  /**
   * What became of a line.
   *
   * @param kind of the thing; empty if that could not be read
   * @param result {@code created}, {@code updated}, {@code noop}, or empty if it failed
   * @param error why it failed, else empty
   * @param status as that of the request that stores one such thing
   */
  public record Item(String kind, String name, String result, String error, int status)
      implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      if (!kind.isEmpty()) {
        builder.field(kind, name);
      }
      builder.field("status", status);
      builder.field(error.isEmpty() ? "result" : "error", error.isEmpty() ? result : error);
      return builder.endObject();
    }
  }

  /** What became of all lines, in their order. */
  public record Response(List<Item> items) implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      boolean errors = items.stream().anyMatch(item -> !item.error.isEmpty());
      return builder.startObject().field("errors", errors).field("items", items).endObject();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.ValueRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;

/**
 * Writes feature sets, models and aliases, a line of JSON each, in pieces that make one file when
 * they are put behind one another.
 */
public final class ExportAction {
  public static final LocalAction<Request, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/export");

  private ExportAction() {}

  /**
   * Which piece.
   *
   * @param from where it begins, as the piece before says; empty for the first
   * @param maxBytes the piece ends with the line with which it is at least that large
   */
  public record Request(String from, long maxBytes) implements ValueRequest.Tracked {
    /** Its description says how far the piece got. */
    @Override
    public Task task(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      return new ProgressTask(id, type, action, "export", "begins", parent, headers);
    }
  }

  /**
   * A piece.
   *
   * @param next where the next piece begins; null in the last
   */
  public record Response(BytesReference lines, @Nullable String next) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;

/**
 * The request of an action, which contains one value. The request of a {@linkplain
 * PluginAction#local local action} never leaves the node; for other actions, the value is a {@link
 * WireRecord}.
 *
 * @param <V> the type of the value
 */
public final class ValueRequest<V> extends ActionRequest {
  private final V value;

  public ValueRequest(V value) {
    this.value = value;
  }

  public ValueRequest(StreamInput in, Class<V> type) throws IOException {
    super(in);
    Wire.head(in);
    value = WireRecord.read(in, type);
  }

  /** The value of a request for a model, alias or feature set by its name. */
  public record Named(String name) implements WireRecord {}

  /** The values that the server passes when a new task is created. */
  public record TaskFields(
      long id, String type, String action, TaskId parent, Map<String, String> headers) {}

  /** The value of a request that creates a task of its own type, for example to show progress. */
  public interface Tracked {
    Task task(TaskFields fields);

    /** Returns whether the task API stores the result, because no client waits for it. */
    default boolean background() {
      return false;
    }
  }

  public V value() {
    return value;
  }

  @Override
  public Task createTask(
      long id, String type, String action, TaskId parent, Map<String, String> headers) {
    return value instanceof Tracked tracked
        ? tracked.task(new TaskFields(id, type, action, parent, headers))
        : super.createTask(id, type, action, parent, headers);
  }

  @Override
  public boolean getShouldStoreResult() {
    return value instanceof Tracked tracked && tracked.background();
  }

  @Override
  public @Nullable ActionRequestValidationException validate() {
    return null;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    Wire.head(out);
    ((WireRecord) value).writeTo(out);
  }
}

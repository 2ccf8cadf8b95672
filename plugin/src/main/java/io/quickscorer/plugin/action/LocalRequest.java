// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;

/**
 * What a {@link LocalAction} is asked for. It never leaves the node.
 *
 * @param <V> has the values
 */
public final class LocalRequest<V> extends ActionRequest {
  private final V value;

  public LocalRequest(V value) {
    this.value = value;
  }

  /** A request whose task is of its own kind. */
  public interface Tracked {
    Task task(long id, String type, String action, TaskId parent, Map<String, String> headers);

    /** Whether the result is to be kept for the task API, because nobody waits. */
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
        ? tracked.task(id, type, action, parent, headers)
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
  public void writeTo(StreamOutput out) {
    throw new UnsupportedOperationException();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.wire.WireRecord;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;

/**
 * Loads a stored version on the node that gets the request, ahead of its becoming current, or lets
 * go of it, and answers its state there. Sent by nodes to each other, never by users.
 */
public final class LoadModelAction {
  public static final String NAME = "cluster:admin/quickscorer/model/load";
  public static final ActionType<ValueResponse<NodeModelState>> INSTANCE =
      new ActionType<>(NAME, ValueResponse.reader(NodeModelState.class));

  private LoadModelAction() {}

  /**
   * Which version, and what to do.
   *
   * @param release whether to let go of it instead of loading it
   */
  public record Request(ModelManifest manifest, boolean release)
      implements WireRecord, ValueRequest.Tracked {
    @Override
    public Task task(
        long id, String type, String action, TaskId parent, Map<String, String> headers) {
      String what = (release ? "release of model [" : "load of model [") + manifest.id() + "]";
      return new LoadTask(id, type, action, what, parent, headers);
    }
  }

  /** A task whose description says how far this node got. */
  static final class LoadTask extends Task {
    private volatile @Nullable Supplier<String> progress;

    private LoadTask(
        long id,
        String type,
        String action,
        String what,
        TaskId parent,
        Map<String, String> headers) {
      super(id, type, action, what, parent, headers);
    }

    /** Asked whenever somebody looks at the task, by any thread. */
    void follow(Supplier<String> asked) {
      progress = asked;
    }

    @Override
    public String getDescription() {
      Supplier<String> asked = progress;
      return super.getDescription() + (asked == null ? "" : ": " + asked.get());
    }
  }
}

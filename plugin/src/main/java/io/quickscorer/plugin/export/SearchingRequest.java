// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.action.ValueRequest;
import java.util.Map;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/**
 * A request that runs searches with a feature set. If its task is cancelled, its searches are
 * cancelled too.
 */
interface SearchingRequest extends ValueRequest.Tracked {
  String featureSet();

  @Override
  default Task task(
      long id, String type, String action, TaskId parent, Map<String, String> headers) {
    String description = "feature set [" + featureSet() + "]";
    return new CancellableTask(id, type, action, description, parent, headers) {
      @Override
      public boolean shouldCancelChildrenOnCancellation() {
        return true;
      }
    };
  }
}

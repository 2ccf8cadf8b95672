// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import java.util.Map;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.CancellableTask;

/**
 * A task whose description shows its progress. If it is cancelled, it ends after its present step,
 * at which its code checks for this.
 */
final class ProgressTask extends CancellableTask {
  private volatile String at;

  /**
   * @param what it does, the first half of its description
   * @param at how far it got, the second half
   */
  public ProgressTask(
      long id,
      String type,
      String action,
      String what,
      String at,
      TaskId parent,
      Map<String, String> headers) {
    super(id, type, action, what, parent, headers);
    this.at = at;
  }

  /** Sets the step that has begun. */
  public void at(String begun) {
    at = begun;
  }

  /**
   * @throws TaskCancelledException if it was cancelled
   */
  public void checkCancelled() {
    if (isCancelled()) {
      throw new TaskCancelledException(super.getDescription() + " was cancelled at: " + at);
    }
  }

  @Override
  public String getDescription() {
    return super.getDescription() + ": " + at;
  }

  @Override
  public boolean shouldCancelChildrenOnCancellation() {
    return false;
  }
}

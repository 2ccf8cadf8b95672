// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.ValueRequest;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.tasks.CancellableTask;

/**
 * A task whose description shows its current step. After the task is cancelled, the next call of
 * {@link #checkCancelled} throws, and so ends the work.
 */
final class ProgressTask extends CancellableTask {
  private volatile String at;

  /**
   * Creates a task.
   *
   * @param what the work, such as "upload"
   * @param at the name of the first step
   */
  public ProgressTask(ValueRequest.TaskFields fields, String what, String at) {
    super(fields.id(), fields.type(), fields.action(), what, fields.parent(), fields.headers());
    this.at = at;
  }

  /** Sets the current step, whose name the task's description shows. */
  public void at(String begun) {
    at = begun;
  }

  /** Throws an exception if the task was cancelled. The task's work calls this before each step. */
  public void checkCancelled() {
    if (isCancelled()) {
      throw new TaskCancelledException(
          super.getDescription() + " was cancelled; its last step: " + at);
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

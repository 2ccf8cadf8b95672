// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.guard.GuardedClient;
import java.util.function.Supplier;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/**
 * The objects with which the coordinating node runs additional searches on behalf of a search.
 *
 * @param client sends the additional searches
 * @param task the task of the search
 * @param localNode this node's id
 * @param context restores the thread context that the search request had
 */
record Coordination(
    GuardedClient client,
    Task task,
    String localNode,
    Supplier<ThreadContext.StoredContext> context) {
  /** Creates the object for a search, with the current thread context. */
  static Coordination of(GuardedClient client, Task task, String localNode) {
    ThreadContext context = client.threadPool().getThreadContext();
    return new Coordination(client, task, localNode, context.newRestorableContext(false));
  }

  /**
   * Returns a copy of a request, for an additional search. It keeps the pipeline, which the
   * server's copy leaves out. It has its own source, because pipelines change a request's source in
   * place.
   */
  static SearchRequest copy(SearchRequest request) {
    SearchRequest copy = new SearchRequest(request).pipeline(request.pipeline());
    return request.source() == null ? copy : copy.source(request.source().shallowCopy());
  }

  TaskId taskId() {
    return new TaskId(localNode, task.getId());
  }

  Cancellation cancellation() {
    return task instanceof CancellableTask search ? Cancellation.of(search) : Cancellation.NONE;
  }

  /**
   * Runs an additional search on behalf of this search. Pipelines do not rank the additional
   * search. This method does not throw: if this search was cancelled, the listener gets a failure.
   */
  void search(SearchRequest request, ActionListener<SearchResponse> listener) {
    request.setParentTask(taskId());
    ActionListener<SearchResponse> preserving =
        ActionListener.notifyOnce(new ContextPreservingActionListener<>(context, listener));
    try (ThreadContext.StoredContext ignored = context.get()) {
      RunningSearch.leaveAlone(client.threadPool().getThreadContext());
      client.search(request, preserving);
    } catch (RuntimeException e) {
      preserving.onFailure(e);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.tasks.CancellableTask;

/** Stops work on a search thread; checked between features, segments and document blocks. */
public final class Cancellation {
  /** The cancellation of work that cannot be cancelled. */
  public static final Cancellation NONE = new Cancellation(null);

  private final @Nullable QueryTimeout timeout;

  private Cancellation(@Nullable QueryTimeout timeout) {
    this.timeout = timeout;
  }

  /** Returns the cancellation of the search that uses this searcher. */
  public static Cancellation of(IndexSearcher searcher) {
    return new Cancellation(searcher.getTimeout());
  }

  /** Returns the cancellation of a search as a task of its coordinating node. */
  public static Cancellation of(CancellableTask task) {
    return new Cancellation(task::isCancelled);
  }

  /**
   * @throws TaskCancelledException if the search was cancelled
   */
  public void check() {
    if (timeout != null && timeout.shouldExit()) {
      throw new TaskCancelledException("the search was cancelled while its hits were rescored");
    }
  }
}

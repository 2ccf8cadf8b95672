// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.tasks.CancellableTask;

/**
 * Stops the computation of features when their search is cancelled. The computation calls {@link
 * #check} between features, segments and blocks of documents.
 */
public final class Cancellation {
  /** An instance whose {@link #check} never throws, for work that cannot be cancelled. */
  public static final Cancellation NONE = new Cancellation(null);

  private final @Nullable QueryTimeout timeout;

  private Cancellation(@Nullable QueryTimeout timeout) {
    this.timeout = timeout;
  }

  /** Returns an object whose {@link #check} fails if the searcher's search was cancelled. */
  public static Cancellation of(IndexSearcher searcher) {
    return new Cancellation(searcher.getTimeout());
  }

  /**
   * Returns an object whose {@link #check} fails if a task of the coordinating node was cancelled.
   */
  public static Cancellation of(CancellableTask task) {
    return new Cancellation(task::isCancelled);
  }

  /**
   * Throws an exception if the search was cancelled.
   *
   * @throws TaskCancelledException if the search was cancelled
   */
  public void check() {
    if (timeout != null && timeout.shouldExit()) {
      throw new TaskCancelledException(
          "the search was cancelled, or reached its timeout, while its hits were rescored");
    }
  }
}

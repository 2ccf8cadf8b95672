// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.tasks.CancellableTask;

/**
 * Stops the computation of features if the search was cancelled. The computation calls {@link
 * #check} between features, segments and blocks of documents.
 */
public final class Cancellation {
  /** Never cancels; for work that cannot be cancelled. */
  public static final Cancellation NONE = new Cancellation(null);

  private final @Nullable QueryTimeout timeout;

  private Cancellation(@Nullable QueryTimeout timeout) {
    this.timeout = timeout;
  }

  /** Returns the cancellation of the search that uses a searcher. */
  public static Cancellation of(IndexSearcher searcher) {
    return new Cancellation(searcher.getTimeout());
  }

  /** Returns the cancellation of a search, given its task on the coordinating node. */
  public static Cancellation of(CancellableTask task) {
    return new Cancellation(task::isCancelled);
  }

  /**
   * Throws if the search was cancelled.
   *
   * @throws TaskCancelledException if it was
   */
  public void check() {
    if (timeout != null && timeout.shouldExit()) {
      throw new TaskCancelledException("the search was cancelled while its hits were rescored");
    }
  }
}

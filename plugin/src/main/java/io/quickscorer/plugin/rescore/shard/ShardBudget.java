// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.rescore.clause.TimeBudget;
import java.util.function.LongSupplier;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * Ends rescoring when its time is up, at the same places where it ends when the search is
 * cancelled: as long as this is open, it stands in for the searcher's own timeout.
 */
final class ShardBudget implements AutoCloseable {
  /** The time is up. */
  static final class SpentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SpentException() {
      super("the budget for rescoring is spent", null, false, false);
    }
  }

  private final IndexSearcher searcher;
  private final @Nullable QueryTimeout own;

  /**
   * @param budget null for no end
   * @param spent nanoseconds that the shard's other windows have taken
   * @param nanoTime a clock in nanoseconds
   */
  ShardBudget(
      IndexSearcher searcher, @Nullable TimeBudget budget, long spent, LongSupplier nanoTime) {
    this.searcher = searcher;
    this.own = searcher.getTimeout();
    if (budget != null) {
      long start = nanoTime.getAsLong() - spent;
      long nanos = Math.multiplyExact(Math.min(budget.millis(), Integer.MAX_VALUE), 1_000_000L);
      searcher.setTimeout(
          () -> {
            if (nanoTime.getAsLong() - start >= nanos) {
              throw new SpentException();
            }
            return own != null && own.shouldExit();
          });
    }
  }

  @Override
  public void close() {
    searcher.setTimeout(own);
  }
}

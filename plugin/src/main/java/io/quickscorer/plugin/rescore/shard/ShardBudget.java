// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.rescore.clause.TimeBudget;
import java.util.function.LongSupplier;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * Ends rescoring when its time is up, at the same places at which a cancelled search ends: while
 * this object is open, it replaces the searcher's own timeout.
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
  private final LongSupplier nanoTime;
  private final long opened;

  /** How long it was open; negative while it is. */
  private long spent = -1;

  /**
   * @param budget null for no end
   * @param spentBefore nanoseconds that the shard's other windows have taken
   * @param nanoTime a clock in nanoseconds
   */
  ShardBudget(
      IndexSearcher searcher,
      @Nullable TimeBudget budget,
      long spentBefore,
      LongSupplier nanoTime) {
    this.searcher = searcher;
    this.own = searcher.getTimeout();
    this.nanoTime = nanoTime;
    this.opened = nanoTime.getAsLong();
    if (budget != null) {
      long start = opened - spentBefore;
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

  /** Returns the nanoseconds for which the budget was open, or has been open so far. */
  long spentNanos() {
    return spent < 0 ? nanoTime.getAsLong() - opened : spent;
  }

  /** Stops its clock too; closed already it stays as it is. */
  @Override
  public void close() {
    if (spent < 0) {
      spent = spentNanos();
      searcher.setTimeout(own);
    }
  }
}

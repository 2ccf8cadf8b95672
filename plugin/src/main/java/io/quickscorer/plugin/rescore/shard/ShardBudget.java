// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.rescore.clause.TimeBudget;
import java.util.function.LongSupplier;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * Stops the rescoring of a shard when its time limit is reached. The time is checked at the points
 * at which the server checks the searcher's timeout. This object replaces that timeout until it is
 * closed.
 */
final class ShardBudget implements AutoCloseable {
  /** Thrown when the time limit for rescoring is reached. */
  static final class SpentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SpentException() {
      super("the time limit [budget_ms] for rescoring is reached", null, false, false);
    }
  }

  private final IndexSearcher searcher;
  private final @Nullable QueryTimeout own;
  private final LongSupplier nanoTime;
  private final long opened;

  /** The time from creation to {@link #close}, in nanoseconds; -1 while this object is open. */
  private long spent = -1;

  /**
   * Starts to measure the time.
   *
   * @param budget the time limit
   * @param spentBefore the time, in nanoseconds, that the shard already spent on other lists of
   *     hits
   * @param nanoTime returns the current time in nanoseconds
   */
  ShardBudget(IndexSearcher searcher, TimeBudget budget, long spentBefore, LongSupplier nanoTime) {
    this.searcher = searcher;
    this.own = searcher.getTimeout();
    this.nanoTime = nanoTime;
    this.opened = nanoTime.getAsLong();
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

  /** Returns the time, in nanoseconds, from creation until now, or until {@link #close}. */
  long spentNanos() {
    return spent < 0 ? nanoTime.getAsLong() - opened : spent;
  }

  /** Ends the measurement, and restores the searcher's own timeout. Later calls do nothing. */
  @Override
  public void close() {
    if (spent < 0) {
      spent = spentNanos();
      searcher.setTimeout(own);
    }
  }
}

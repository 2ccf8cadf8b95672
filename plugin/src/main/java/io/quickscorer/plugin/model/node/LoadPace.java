// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.guard.Guard;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.StreamSupport;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.threadpool.ThreadPoolStats;

/**
 * Delays loads of models for which no search waits, so that they use at most half of a processor
 * core while the node searches. If searches ran during a load, the pause after the load takes as
 * long as the load. Safe for use by several threads.
 *
 * @param nanoTime a clock in nanoseconds
 * @param searches returns the number of tasks that the search threads have completed
 * @param rests runs a task after a pause
 */
record LoadPace(LongSupplier nanoTime, LongSupplier searches, Rests rests) {
  /** Runs a task after a pause, on another thread. */
  interface Rests {
    void run(Runnable then, TimeValue rest);
  }

  /** Returns an object that delays the loads of models on a node. */
  static LoadPace of(ThreadPool threadPool) {
    return new LoadPace(
        System::nanoTime,
        () ->
            StreamSupport.stream(threadPool.stats().spliterator(), false)
                .filter(pool -> pool.getName().equals(ThreadPool.Names.SEARCH))
                .mapToLong(ThreadPoolStats.Stats::getCompleted)
                .sum(),
        (task, rest) -> Guard.schedule(threadPool, task, rest));
  }

  /** Records the start of a load of a model. */
  Begun begin() {
    return new Begun(nanoTime.getAsLong(), searches.getAsLong());
  }

  /** A load of a model: from the start of the load to the end of the pause after it. */
  final class Begun {
    private final long start;
    private final long searchesBefore;

    private Begun(long start, long searchesBefore) {
      this.start = start;
      this.searchesBefore = searchesBefore;
    }

    /**
     * Runs a task after the pause that follows the load. Must be called at the end of the load.
     *
     * @param then the task, which must be fast
     */
    void rest(Runnable then) {
      if (searches.getAsLong() == searchesBefore) {
        then.run();
        return;
      }
      TimeValue rest = new TimeValue(nanoTime.getAsLong() - start, TimeUnit.NANOSECONDS);
      try {
        rests.run(then, rest);
      } catch (OpenSearchRejectedExecutionException e) {
        // The node is closing, so the task runs without the pause.
        then.run();
      }
    }
  }
}

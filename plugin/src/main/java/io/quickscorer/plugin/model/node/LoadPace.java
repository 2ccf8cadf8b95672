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
 * Delays the loading of models for which no search waits, so that it takes at most half of a
 * processor core while the node searches. If searches ran while a model was loaded, the pause after
 * it is as long as the loading took. Safe for use by several threads.
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

  /** Returns an object that delays the loading of models on a node. */
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

  /** Records that the loading of a model starts. */
  Begun begin() {
    return new Begun(nanoTime.getAsLong(), searches.getAsLong());
  }

  /** The loading of one model, and the pause after it. */
  final class Begun {
    private final long start;
    private final long searchesBefore;

    private Begun(long start, long searchesBefore) {
      this.start = start;
      this.searchesBefore = searchesBefore;
    }

    /**
     * Runs a task, which must be fast, after the pause that follows the loading. Must be called
     * when the loading ends.
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

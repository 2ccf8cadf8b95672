// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Lets other tasks run while one task of a thread pool is slow: adds a thread to the pool until the
 * task ends. A pool gets at most {@value #MAX_ASIDE} additional threads.
 */
final class Turn implements Releasable {
  /** The time after which a running task is treated as slow. */
  static final TimeValue SLOW = TimeValue.timeValueSeconds(2);

  private static final int MAX_ASIDE = 4;

  private final ThreadPoolExecutor threads;
  private final int regular;
  private final Scheduler.@Nullable Cancellable timer;
  private boolean ended;
  private boolean aside;

  /**
   * Starts to measure the time of a task. Must be called on the pool's thread that runs the task.
   *
   * @param pool the name of the pool in {@code pools}
   * @param threads the executor of the pool
   */
  Turn(ThreadPool pools, String pool, ThreadPoolExecutor threads) {
    this.threads = threads;
    regular = pools.info(pool).getMax();
    Scheduler.@Nullable Cancellable scheduled = null;
    try {
      scheduled = Guard.schedule(pools, this::makeRoom, SLOW);
    } catch (OpenSearchRejectedExecutionException closing) {
      // The node is closing, so no thread needs to be added.
    }
    timer = scheduled;
  }

  private void makeRoom() {
    synchronized (threads) {
      if (!ended && threads.getCorePoolSize() < regular + MAX_ASIDE) {
        aside = true;
        threads.setMaximumPoolSize(threads.getMaximumPoolSize() + 1);
        threads.setCorePoolSize(threads.getCorePoolSize() + 1);
      }
    }
  }

  @Override
  public void close() {
    if (timer != null) {
      timer.cancel();
    }
    synchronized (threads) {
      ended = true;
      if (aside) {
        // A setting may have changed the size of the pool meanwhile.
        threads.setCorePoolSize(Math.max(1, threads.getCorePoolSize() - 1));
        threads.setMaximumPoolSize(
            Math.max(threads.getCorePoolSize(), threads.getMaximumPoolSize() - 1));
      }
    }
  }
}

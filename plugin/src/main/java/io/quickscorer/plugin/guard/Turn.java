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
 * A task's place in its pool. While a task is slow, the pool has one more thread, so that the tasks
 * behind it can run; for at most {@value #MAX_ASIDE} slow tasks at a time.
 */
final class Turn implements Releasable {
  /** When a task is slow. */
  static final TimeValue SLOW = TimeValue.timeValueSeconds(2);

  private static final int MAX_ASIDE = 4;

  private final ThreadPoolExecutor threads;
  private final int regular;
  private final Scheduler.@Nullable Cancellable timer;
  private boolean ended;
  private boolean aside;

  /** Begins a turn on a thread of the pool. */
  Turn(ThreadPool pools, String pool, ThreadPoolExecutor threads) {
    this.threads = threads;
    regular = pools.info(pool).getMax();
    Scheduler.@Nullable Cancellable scheduled = null;
    try {
      scheduled = Guard.schedule(pools, this::makeRoom, SLOW);
    } catch (OpenSearchRejectedExecutionException closing) {
      // The queue is not worked off any more.
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
        // The cluster's settings may have changed the pool's size in between.
        threads.setCorePoolSize(Math.max(1, threads.getCorePoolSize() - 1));
        threads.setMaximumPoolSize(
            Math.max(threads.getCorePoolSize(), threads.getMaximumPoolSize() - 1));
      }
    }
  }
}

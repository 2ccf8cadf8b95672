// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestLimits;
import io.quickscorer.plugin.memory.RequestMemory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.threadpool.ThreadPool;

/**
 * Gives idle threads of the server's index-searcher pool to searches with a large window, if the
 * node has idle processors. One per node; safe for use by several threads.
 *
 * <p>Each thread that runs a search or a part of a search counts as a processor in use, and so does
 * each part that waits for a thread. The pool has twice as many threads as processors, so an idle
 * thread does not mean an idle processor. Threads that index or merge are not counted. The count is
 * a snapshot: two searches that check at the same time may both get the last processor.
 */
public final class IdleThreads {
  /** An instance that gives no threads. */
  public static final IdleThreads NONE = new IdleThreads();

  private final @Nullable ThreadPoolExecutor searches;
  private final @Nullable ThreadPoolExecutor helpers;
  private final int processors;
  private final @Nullable RequestMemory memory;

  private IdleThreads() {
    searches = null;
    helpers = null;
    processors = 1;
    memory = null;
  }

  /**
   * Creates the node's instance.
   *
   * @param processors the number of processors that the node may use
   * @param memory contains the maximum number of threads per window, and is charged for the memory
   *     of helpers
   */
  public IdleThreads(ThreadPool threadPool, int processors, RequestMemory memory) {
    this.searches = pool(threadPool, ThreadPool.Names.SEARCH);
    this.helpers = pool(threadPool, ThreadPool.Names.INDEX_SEARCHER);
    this.processors = processors;
    this.memory = memory;
  }

  /**
   * Returns the thread pool with a name, or null if the pool does not report the number of its
   * active threads.
   */
  private static @Nullable ThreadPoolExecutor pool(ThreadPool threadPool, String name) {
    ExecutorService executor = threadPool.executor(name);
    return executor instanceof ThreadPoolExecutor pool ? pool : null;
  }

  /**
   * Returns helpers for the calling thread, which is a thread of the search pool. Their number
   * depends on the idle processors and on the amount of work. If memory is short, there are no
   * helpers.
   *
   * @param work the amount of work, in any unit
   * @param minWork the minimum amount of work per thread, in the same unit
   * @param bytesEach the memory of each helper, in bytes
   */
  public Helpers ask(long work, long minWork, long bytesEach) {
    if (searches == null || helpers == null || memory == null || work < 2 * minWork) {
      return Helpers.NONE;
    }
    long useful = Math.min(work / minWork, memory.limits().get(RequestLimits.MAX_THREADS)) - 1;
    int count = useful < 1 ? 0 : (int) Math.min(useful, idle(searches, helpers));
    if (count < 1) {
      return Helpers.NONE;
    }
    try {
      return new Helpers(
          helpers,
          count,
          MemoryCharge.take(memory.breaker(), count * bytesEach, "quickscorer helpers"));
    } catch (CircuitBreakingException e) {
      return Helpers.NONE;
    }
  }

  private int idle(ThreadPoolExecutor searching, ThreadPoolExecutor helping) {
    int active = helping.getActiveCount();
    int waiting = helping.getQueue().size();
    int busy = Math.max(1, searching.getActiveCount()) + active + waiting;
    return Math.min(processors - busy, helping.getMaximumPoolSize() - active - waiting);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.memory.SearchSettings;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.search.TaskExecutor;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.threadpool.ThreadPool;

/**
 * Lends idle threads of the server's thread pool {@code index_searcher} to searches that rank many
 * hits, if the node has idle processors. There is one instance per node. Safe for use by several
 * threads.
 *
 * <p>One processor is treated as busy for each thread that runs a search or a part of it. The same
 * is true for each part that waits for a thread. Threads that index or merge do not count. Two
 * searches that check at the same time may both get the last processor.
 */
public final class IdleThreads {
  /** An instance that lends no threads. */
  public static final IdleThreads NONE = new IdleThreads();

  private final @Nullable ThreadPoolExecutor searches;
  private final @Nullable ThreadPoolExecutor helpers;
  private final int processors;
  private final @Nullable RequestMemory memory;

  private IdleThreads() {
    this.searches = null;
    this.helpers = null;
    this.processors = 1;
    this.memory = null;
  }

  /**
   * Creates the node's instance.
   *
   * @param processors the number of processors that the node may use
   * @param memory contains the setting for the maximum number of threads per search, and counts the
   *     memory of the lent threads
   */
  public IdleThreads(ThreadPool threadPool, int processors, RequestMemory memory) {
    this.searches = pool(threadPool, ThreadPool.Names.SEARCH);
    this.helpers = pool(threadPool, ThreadPool.Names.INDEX_SEARCHER);
    this.processors = processors;
    this.memory = memory;
  }

  /** Returns the pool with a name, or null if the pool cannot count its active threads. */
  private static @Nullable ThreadPoolExecutor pool(ThreadPool threadPool, String name) {
    return threadPool.executor(name) instanceof ThreadPoolExecutor pool ? pool : null;
  }

  /**
   * Returns the idle threads that may help the calling thread, which belongs to the search pool.
   * Their number depends on the idle processors and on the amount of work. It is 0 if memory is
   * short.
   *
   * @param work the amount of work, in any unit
   * @param minWork the minimum amount of work per thread, in the unit of {@code work}
   * @param bytesEach the memory that each thread needs, in bytes
   */
  public Helpers ask(long work, long minWork, long bytesEach) {
    if (searches == null || helpers == null || memory == null || work < 2 * minWork) {
      return Helpers.NONE;
    }
    long useful = Math.min(work / minWork, memory.limits().get(SearchSettings.MAX_THREADS)) - 1;
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

  /**
   * A counter that hands out the numbers of the independent parts of some work to several threads.
   */
  public static final class Parts {
    private final int count;
    private final AtomicInteger next = new AtomicInteger();

    Parts(int count) {
      this.count = count;
    }

    /**
     * Returns the number of the next part to work on, from 0; -1 if all parts have been handed out.
     */
    public int next() {
      int part = next.get() < count ? next.getAndIncrement() : count;
      return part < count ? part : -1;
    }

    /** Returns whether some parts have not been handed out yet. */
    boolean isOpen() {
      return next.get() < count;
    }

    /** Ends the work: parts that have not been handed out are dropped. */
    void stop() {
      next.set(count);
    }
  }

  /**
   * Threads that process parts of some work together with the calling thread.
   *
   * <p>Every thread takes the next part that no thread has begun. The calling thread does not wait
   * for helpers to start. It waits only for parts that a helper is running. If the pool is full,
   * the calling thread does all parts.
   */
  public static final class Helpers implements Releasable {
    /** An instance without threads: the calling thread does all of the work alone. */
    public static final Helpers NONE = new Helpers(null, 0, null);

    private final @Nullable TaskExecutor executor;
    private final int count;
    private final @Nullable MemoryCharge charge;

    /**
     * Describes the threads that may help with the work of one search.
     *
     * @param executor runs the helpers, null if there are none
     * @param count the number of helpers, without the calling thread
     * @param charge the memory that is reserved for the helpers' buffers, released by {@link
     *     #close}; null if none
     */
    Helpers(@Nullable Executor executor, int count, @Nullable MemoryCharge charge) {
      this.executor = executor == null ? null : new TaskExecutor(executor);
      this.count = count;
      this.charge = charge;
    }

    /** The work of one thread: it processes parts until none is left, and uses its own buffers. */
    @FunctionalInterface
    public interface Work {
      void run(Parts parts) throws IOException;
    }

    /**
     * Returns the maximum number of threads that do the work, including the calling thread; at
     * least 1.
     */
    public int threads() {
      return count + 1;
    }

    /**
     * Runs the work on all threads until every part is done. If a helper fails, this method throws
     * the helper's exception, and the remaining parts are not run.
     *
     * @param count the number of parts
     * @param work called once on each thread; the calls run in parallel
     */
    public void run(int count, Work work) throws IOException {
      Parts parts = new Parts(count);
      int threads = Math.min(threads(), count);
      if (executor == null || threads < 2) {
        work.run(parts);
        return;
      }
      Callable<Boolean> one = () -> runSafely(work, parts);
      executor.invokeAll(Collections.nCopies(threads, one));
    }

    private static boolean runSafely(Work work, Parts parts) throws IOException {
      boolean done = false;
      try {
        Guard.run(() -> "the scoring of a part of a window", () -> work.run(parts));
        done = true;
        return true;
      } finally {
        if (!done) {
          parts.stop();
        }
      }
    }

    @Override
    public void close() {
      if (charge != null) {
        charge.close();
      }
    }
  }
}

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
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.threadpool.ThreadPool;

/**
 * Lends threads of the server's thread pool {@code index_searcher} to searches that rank many hits,
 * if the node has idle processors. One instance per node; safe for use by several threads.
 *
 * <p>The number of idle processors is estimated: each part of a search that runs or waits for a
 * thread takes one processor. Threads that index or merge are ignored. Two searches that check at
 * the same time may both get the last processor.
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
   * @param memory the setting for the maximum threads per search, and the breaker to which the
   *     memory of lent threads is charged
   */
  public IdleThreads(ThreadPool threadPool, int processors, RequestMemory memory) {
    this.searches = pool(threadPool, ThreadPool.Names.SEARCH);
    this.helpers = pool(threadPool, ThreadPool.Names.INDEX_SEARCHER);
    this.processors = processors;
    this.memory = memory;
  }

  /** Returns a thread pool by its name; null if the pool cannot count its active threads. */
  private static @Nullable ThreadPoolExecutor pool(ThreadPool threadPool, String name) {
    return threadPool.executor(name) instanceof ThreadPoolExecutor pool ? pool : null;
  }

  /**
   * Returns the threads that may help the calling thread of the search pool. Their number depends
   * on the idle processors and the amount of work; it is 0 if memory is short.
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

  /** Distributes the independent parts of some work to threads: gives each part's number once. */
  public static final class Parts {
    private final int count;
    private final AtomicInteger next = new AtomicInteger();

    Parts(int count) {
      this.count = count;
    }

    /** Returns the number of the next part to work on, from 0; -1 if no part is left. */
    public int next() {
      int part = next.get() < count ? next.getAndIncrement() : count;
      return part < count ? part : -1;
    }

    /** Returns whether any part of the work is left. */
    boolean isOpen() {
      return next.get() < count;
    }

    /** Ends the work: the parts that are left are not processed. */
    void stop() {
      next.set(count);
    }
  }

  /**
   * Threads that process parts of some work together with the calling thread.
   *
   * <p>Each thread takes the next part that is left. The calling thread does not wait until helpers
   * start, but only until the parts that they have begun are done. If the pool is full, the calling
   * thread does all parts.
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
     * @param charge the charge for the helpers' buffers, which {@link #close} releases; null if
     *     none
     */
    Helpers(@Nullable Executor executor, int count, @Nullable MemoryCharge charge) {
      this.executor = executor == null ? null : new TaskExecutor(executor);
      this.count = count;
      this.charge = charge;
    }

    /**
     * Returns the maximum number of threads that do the work, with the calling thread; at least 1.
     */
    public int threads() {
      return count + 1;
    }

    /**
     * Runs the work on all threads until every part is done. If a helper fails, no further parts
     * are processed, and this method throws the helper's exception.
     *
     * @param count the number of parts
     * @param work called once on each thread, in parallel; each call has its own buffers, and
     *     processes parts until no part is left
     */
    public void run(int count, CheckedConsumer<Parts, IOException> work) throws IOException {
      Parts parts = new Parts(count);
      int threads = Math.min(threads(), count);
      if (executor == null || threads < 2) {
        work.accept(parts);
        return;
      }
      Callable<Boolean> one = () -> runSafely(work, parts);
      executor.invokeAll(Collections.nCopies(threads, one));
    }

    private static boolean runSafely(CheckedConsumer<Parts, IOException> work, Parts parts)
        throws IOException {
      boolean done = false;
      try {
        Guard.run(() -> "the scoring of a part of a window", () -> work.accept(parts));
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.MemoryCharge;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.apache.lucene.search.TaskExecutor;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;

/**
 * Threads that help the calling thread with the independent parts of some work.
 *
 * <p>The calling thread does not wait for helpers to start: every thread takes the next part that
 * no thread has begun. So the calling thread does all parts that no helper has begun, and waits
 * only for parts that a helper is running. If the pool is full or is shutting down, no helper
 * begins, and the calling thread does all parts.
 */
public final class Helpers implements Releasable {
  /** No helpers: the calling thread works alone. */
  public static final Helpers NONE = new Helpers(null, 0, null);

  private final @Nullable TaskExecutor executor;
  private final int count;
  private final @Nullable MemoryCharge charge;

  /**
   * Describes the threads that may help with one window.
   *
   * @param executor runs the helpers, null if there are none
   * @param count the number of helpers, without the calling thread
   * @param charge the memory charge for the helpers' buffers, released by {@link #close}
   */
  Helpers(@Nullable Executor executor, int count, @Nullable MemoryCharge charge) {
    this.executor = executor == null ? null : new TaskExecutor(executor);
    this.count = count;
    this.charge = charge;
  }

  /**
   * The work of one thread: it takes parts until none is left, and uses its own buffers.
   *
   * <p>See {@link Parts#next}.
   */
  @FunctionalInterface
  public interface Work {
    void run(Parts parts) throws IOException;
  }

  /** Returns the maximum number of threads that work, including the calling thread; at least 1. */
  public int threads() {
    return count + 1;
  }

  /**
   * Runs all parts. A failure in a helper is thrown here; the remaining parts are then not run.
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

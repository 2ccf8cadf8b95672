// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;

/**
 * The thread pools for work other than searches. Each kind of work has its own pool, so that it
 * does not delay other kinds. {@link Turn} adds a thread while a task is slow.
 */
public enum WorkPool {
  /** The pool that reads and compiles the models that the cluster state lists. */
  LOADS(""),

  /** The pool that reads uploaded models. */
  UPLOADS("_uploads"),

  /** The pool that checks feature sets. */
  FEATURE_SETS("_feature_sets"),

  /** The pool that runs imports and exports. */
  TRANSFERS("_transfers"),

  /** The pool that compiles models for engines (scoring algorithms) that a search asks for. */
  ENGINES("_engines"),

  /**
   * The pool that reads a model to download it, to compute the importance of its features, or to
   * report the drift of their values.
   */
  REPORTS("_reports");

  private static final int MAX_THREADS = 4;

  /** Maximum number of tasks that wait in a pool. A waiting task takes little memory. */
  private static final int QUEUE = 1_000;

  private final String pool;

  WorkPool(String suffix) {
    pool = "quickscorer" + suffix;
  }

  /** Returns the name of the thread pool in settings and statistics. */
  public String pool() {
    return pool;
  }

  /** Returns the executor of this pool on a node; it catches errors in tasks. */
  public Executor of(ThreadPool pools) {
    return Guard.executor(
        pools, pool, threads -> new Turn(pools, pool, (ThreadPoolExecutor) threads));
  }

  /** Returns the builders of all pools, each with one thread per two processors: 1 to 4 threads. */
  public static List<ExecutorBuilder<?>> builders(Settings settings) {
    int threads = Math.clamp(OpenSearchExecutors.allocatedProcessors(settings) / 2, 1, MAX_THREADS);
    return Arrays.stream(values())
        .<ExecutorBuilder<?>>map(
            kind ->
                new FixedExecutorBuilder(
                    settings, kind.pool, threads, QUEUE, "thread_pool." + kind.pool))
        .toList();
  }
}

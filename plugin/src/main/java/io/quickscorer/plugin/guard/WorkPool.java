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
 * The kinds of work that run in addition to searches. Each has its own threads and queue, so that
 * slow work of one kind delays no other kind: the operating system divides the processors. Within a
 * kind, a slow task does not block others because of its {@link Turn}.
 */
public enum WorkPool {
  /** Reads and compiles models that the cluster state names. */
  LOADS(""),

  /** Reads models that are uploaded. */
  UPLOADS("_uploads"),

  /** Checks feature sets. */
  FEATURE_SETS("_feature_sets"),

  /** Imports and exports. */
  TRANSFERS("_transfers"),

  /** Compiles models for the engines that searches name. */
  ENGINES("_engines"),

  /** Reads models for answers about them: files, importance, drift. */
  REPORTS("_reports");

  private static final int MAX_THREADS = 4;

  /** Tasks that may wait; each is a few objects. */
  private static final int QUEUE = 1_000;

  private final String pool;

  WorkPool(String suffix) {
    pool = "quickscorer" + suffix;
  }

  /** Returns the name of the pool, in settings and statistics. */
  public String pool() {
    return pool;
  }

  /** Returns this pool of a node; its tasks are {@link Guard guarded}. */
  public Executor of(ThreadPool pools) {
    return Guard.executor(
        pools, pool, threads -> new Turn(pools, pool, (ThreadPoolExecutor) threads));
  }

  /** Returns all pools. Each has half as many threads as processors, 1 to {@value #MAX_THREADS}. */
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

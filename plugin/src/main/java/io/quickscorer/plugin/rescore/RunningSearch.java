// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.stats.PipelineStats;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.threadpool.ThreadPool;

/**
 * One search on its coordinating node, as the action filter sees it from its start to its answer.
 * It travels in the thread context, so that a search pipeline's processor, which comes after the
 * filter, can put a clause into it. Written by one thread at a time.
 */
final class RunningSearch implements Releasable {
  private static final String KEY = "quickscorer.search";

  /** Maximum number of this plugin's processors on one stack. */
  private static final int MAX_NESTED = 64;

  /** Maximum number of processors that rank the hits of one response; each runs another search. */
  private static final int MAX_RANKINGS = 32;

  /** How often a search is bound again if its versions were replaced before they scored it. */
  private static final int MAX_BINDINGS = 5;

  private static final String LEFT_ALONE = "quickscorer.search.left_alone";

  private final TaskId task;
  private final RequestMemory memory;
  private final @Nullable String preference;

  /**
   * Whether pipelines add no clause, because the search is part of another one for which this was
   * decided.
   */
  private final boolean leftAlone;

  private volatile @Nullable RequestBudget budget;
  private volatile @Nullable TracedSearch traced;
  private volatile @Nullable EnsembleRescorerBuilder interleaving;

  /** The last rescorer before it was bound, if it is a clause. */
  private volatile @Nullable EnsembleRescorerBuilder unbound;

  /** Null as long as the search has no clause. */
  private volatile @Nullable ModelLookup models;

  private int bindings;
  private volatile PipelineStats.@Nullable Pipeline ignoring;
  private volatile PipelineStats.@Nullable Left left;

  /** How many processors of ours have worked on it. */
  private int processors;

  private int rankings;

  private RunningSearch(
      TaskId task, RequestMemory memory, @Nullable String preference, boolean leftAlone) {
    this.task = task;
    this.memory = memory;
    this.preference = preference;
    this.leftAlone = leftAlone;
  }

  /** Creates the state of a search that begins in this context. */
  static RunningSearch begin(
      ThreadContext context, TaskId task, RequestMemory memory, @Nullable String preference) {
    return new RunningSearch(task, memory, preference, context.getTransient(LEFT_ALONE) != null);
  }

  /** Sets this as the context's search until the result is closed. */
  ThreadContext.StoredContext enter(ThreadContext context) {
    ThreadContext.StoredContext stored = context.newStoredContext(true, List.of(KEY, LEFT_ALONE));
    context.putTransient(KEY, this);
    return stored;
  }

  /** Marks the context so that pipelines put nothing into its searches. */
  static void leaveAlone(ThreadContext context) {
    if (context.getTransient(LEFT_ALONE) == null) {
      context.putTransient(LEFT_ALONE, true);
    }
  }

  /** Returns the search that a pipeline may put a clause into, or null if it must not. */
  public static @Nullable RunningSearch current(ThreadContext context) {
    RunningSearch search = context.getTransient(KEY);
    return search == null || search.leftAlone ? null : search;
  }

  /**
   * Returns whether the context's search is part of another search, so that pipelines do not change
   * its hits.
   */
  public static boolean isLeftAlone(ThreadContext context) {
    RunningSearch search = context.getTransient(KEY);
    return search != null && search.leftAlone;
  }

  /**
   * Goes on to a pipeline's next processor. The server calls it from within the one before, and a
   * pipeline may have any number of them: from time to time another thread goes on.
   */
  public static void proceed(ThreadPool threadPool, Runnable next) {
    ThreadContext context = threadPool.getThreadContext();
    RunningSearch search = context.getTransient(KEY);
    if (search != null && ++search.processors % MAX_NESTED == 0) {
      Guard.executor(threadPool, ThreadPool.Names.GENERIC).execute(context.preserveContext(next));
    } else {
      next.run();
    }
  }

  /**
   * Counts a processor that ranks the hits of its answer.
   *
   * @throws IllegalArgumentException (400) if there are too many
   */
  public void rank() {
    if (++rankings > MAX_RANKINGS) {
      throw new IllegalArgumentException(
          "more than "
              + MAX_RANKINGS
              + " processors [quickscorer] of the pipeline rank the hits; remove some");
    }
  }

  /** Returns the search's task. Work done for the search is cancelled with it. */
  public TaskId task() {
    return task;
  }

  /** Returns the search's budget on this node, given back when the search is answered. */
  public RequestBudget budget() {
    RequestBudget own = budget;
    if (own == null) {
      own = memory.budget();
      budget = own;
    }
    return own;
  }

  /**
   * Starts the trace of the search's clauses; called once.
   *
   * @return the source to search with
   */
  public SearchSourceBuilder trace(SearchSourceBuilder source) {
    // The query as it is now: pipelines may change it.
    QueryBuilder query = source.query();
    unbound = Clauses.last(source);
    models = Clauses.of(source).getFirst().services().models();
    TracedSearch tracing = TracedSearch.of(source, budget(), () -> SearchKey.of(preference, query));
    traced = tracing;
    return tracing.source();
  }

  /**
   * Records that the two searches of an interleaving clause answer this search.
   *
   * @return the source to search with instead, which finds nothing
   */
  public SearchSourceBuilder interleave(EnsembleRescorerBuilder clause) {
    interleaving = clause;
    models = clause.services().models();
    return new SearchSourceBuilder().query(new MatchNoneQueryBuilder()).size(0);
  }

  /** Returns the clause of a pipeline that interleaves, or null. */
  @Nullable EnsembleRescorerBuilder interleaving() {
    return interleaving;
  }

  /**
   * Records that the first pass answers the search if it fails.
   *
   * @param counters where that is counted
   */
  public void ignoreFailure(PipelineStats.Pipeline counters) {
    ignoring = counters;
  }

  /** Records why a pipeline did not add a clause. */
  public void left(PipelineStats.Left reason) {
    left = reason;
  }

  /** Returns why a pipeline did not add a clause, or null. */
  PipelineStats.@Nullable Left left() {
    return left;
  }

  /** Returns the search before it was bound, made from its first pass. */
  SearchSourceBuilder unbound(SearchSourceBuilder firstPass) {
    EnsembleRescorerBuilder clause = unbound;
    return clause == null ? firstPass : Clauses.with(firstPass, clause);
  }

  /**
   * Returns whether to bind the search again. The number of attempts is limited, and a search that
   * is part of another one is not bound again.
   */
  boolean mayBindAgain() {
    return !leftAlone && ++bindings <= MAX_BINDINGS;
  }

  /** Returns the models by which the search is bound; null as long as it has no clause. */
  @Nullable ModelLookup models() {
    return models;
  }

  /** Returns the trace, or null as long as the search has no clause. */
  @Nullable TracedSearch traced() {
    return traced;
  }

  /**
   * Returns the counters of the pipeline if the first pass is to answer a failed search, otherwise
   * null.
   */
  PipelineStats.@Nullable Pipeline ignoring() {
    return ignoring;
  }

  @Override
  public void close() {
    RequestBudget own = budget;
    if (own != null) {
      own.close();
    }
  }
}

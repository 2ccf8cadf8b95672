// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.stats.PipelineStats;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;

/**
 * The state of a search on its coordinating node, from its start to its response. The state is
 * stored in the thread context. There, the processor of a search pipeline finds it later, and adds
 * a clause to the search. Written by one thread at a time.
 */
final class RunningSearch implements Releasable {
  private static final String KEY = "quickscorer.search";

  /** Maximum depth of this plugin's processors that call each other on one stack. */
  private static final int MAX_NESTED = 64;

  /**
   * Maximum number of processors that rank one response. Each of them runs an additional search.
   */
  private static final int MAX_RANKINGS = 32;

  /**
   * Maximum number of times that a search looks up its models again because they were replaced
   * meanwhile.
   */
  private static final int MAX_BINDINGS = 5;

  private static final String LEFT_ALONE = "quickscorer.search.left_alone";

  private final GuardedClient client;
  private final Task task;
  private final String localNode;
  private final RequestMemory memory;
  private final @Nullable String preference;

  /**
   * Creates an object that restores the thread context of the search request until it is closed.
   */
  private final Supplier<ThreadContext.StoredContext> context;

  /**
   * Whether search pipelines must not change this search. It is part of another search, which they
   * have already processed.
   */
  private final boolean leftAlone;

  private volatile @Nullable RequestBudget budget;
  private volatile @Nullable TracedSearch traced;
  private volatile @Nullable EnsembleRescorerBuilder interleaving;

  /**
   * A copy of the search's last clause from before its models were looked up; null if the last
   * rescorer is not a clause.
   */
  private volatile @Nullable EnsembleRescorerBuilder unbound;

  /** The models that the node has loaded; null if the search has no clause so far. */
  private volatile @Nullable ModelLookup models;

  private int bindings;
  private volatile PipelineStats.@Nullable Pipeline ignoring;
  private volatile PipelineStats.@Nullable Left left;

  /** The number of this plugin's processors that have run for this search. */
  private int processors;

  private int rankings;

  /**
   * Creates the state of a search that begins in the current thread context.
   *
   * @param client sends additional searches
   * @param task the search's task
   * @param localNode this node's id
   * @param memory creates the search's budget
   */
  RunningSearch(
      GuardedClient client,
      Task task,
      String localNode,
      RequestMemory memory,
      @Nullable String preference) {
    this.client = client;
    this.task = task;
    this.localNode = localNode;
    this.memory = memory;
    this.preference = preference;
    ThreadContext current = client.threadPool().getThreadContext();
    this.context = current.newRestorableContext(false);
    this.leftAlone = current.getTransient(LEFT_ALONE) != null;
  }

  /** Stores this object in the current thread context until the returned object is closed. */
  ThreadContext.StoredContext enter() {
    ThreadContext current = client.threadPool().getThreadContext();
    ThreadContext.StoredContext stored = current.newStoredContext(true, List.of(KEY, LEFT_ALONE));
    current.putTransient(KEY, this);
    return stored;
  }

  /**
   * Returns the search that a thread context contains; null if search pipelines must not change it.
   */
  public static @Nullable RunningSearch current(ThreadContext context) {
    RunningSearch search = context.getTransient(KEY);
    return search == null || search.leftAlone ? null : search;
  }

  /**
   * Returns whether a thread context contains a search that is part of another one. Search
   * pipelines must not change the hits of such a search.
   */
  public static boolean isLeftAlone(ThreadContext context) {
    RunningSearch search = context.getTransient(KEY);
    return search != null && search.leftAlone;
  }

  /**
   * Continues with the next processor of a search pipeline. The server calls each processor from
   * within the previous one. After {@link #MAX_NESTED} calls, another thread continues, so that the
   * stack does not become too deep.
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
   * Counts one more processor that ranks the hits of this search's response.
   *
   * @throws IllegalArgumentException (400) if more than {@link #MAX_RANKINGS} processors rank them
   */
  public void rank() {
    if (++rankings > MAX_RANKINGS) {
      throw new IllegalArgumentException(
          "more than "
              + MAX_RANKINGS
              + " processors [quickscorer] of the pipeline rank the hits; remove some");
    }
  }

  /**
   * Returns the id of the search's task. If the task is cancelled, additional searches are
   * cancelled too.
   */
  public TaskId task() {
    return new TaskId(localNode, task.getId());
  }

  GuardedClient client() {
    return client;
  }

  Cancellation cancellation() {
    return task instanceof CancellableTask search ? Cancellation.of(search) : Cancellation.NONE;
  }

  /**
   * Restores the thread context that the search request had, until the returned object is closed.
   */
  ThreadContext.StoredContext context() {
    return context.get();
  }

  /**
   * Runs an additional search for this search. Search pipelines do not rank the additional search.
   * This method does not throw: if this search was cancelled, the listener gets a failure.
   */
  void search(SearchRequest request, ActionListener<SearchResponse> listener) {
    request.setParentTask(task());
    ActionListener<SearchResponse> preserving =
        ActionListener.notifyOnce(new ContextPreservingActionListener<>(context, listener));
    try (ThreadContext.StoredContext ignored = context.get()) {
      ThreadContext current = client.threadPool().getThreadContext();
      if (current.getTransient(LEFT_ALONE) == null) {
        current.putTransient(LEFT_ALONE, true);
      }
      client.search(request, preserving);
    } catch (RuntimeException e) {
      preserving.onFailure(e);
    }
  }

  /**
   * Returns a text that is equal for all pages of a search: the {@code preference} that the client
   * sends with each request, or the query's text if there is no preference.
   */
  static String key(@Nullable String preference, @Nullable QueryBuilder query) {
    return preference != null ? preference : String.valueOf(query);
  }

  static String key(SearchRequest request) {
    return key(request.preference(), Clauses.source(request).query());
  }

  /** Returns the search's memory budget on this node, which is closed when the response is sent. */
  public RequestBudget budget() {
    RequestBudget own = budget;
    if (own == null) {
      own = memory.budget();
      budget = own;
    }
    return own;
  }

  /**
   * Starts to record the versions of models that the search's clauses use. Called once.
   *
   * @return the body of the search to run instead
   */
  public SearchSourceBuilder trace(SearchSourceBuilder source) {
    // The key that selects one of an alias's models is computed from the present query, because
    // pipelines may change the query later.
    QueryBuilder query = source.query();
    unbound = Clauses.last(source);
    models = Clauses.of(source).getFirst().services().models();
    TracedSearch tracing = TracedSearch.of(source, budget(), () -> key(preference, query));
    traced = tracing;
    return tracing.source();
  }

  /**
   * Records a clause that mixes (interleaves) the rankings of two models. Two other searches will
   * compute the response.
   *
   * @return the body of the search to run instead, which finds no hits
   */
  public SearchSourceBuilder interleave(EnsembleRescorerBuilder clause) {
    interleaving = clause;
    models = clause.services().models();
    return new SearchSourceBuilder().query(new MatchNoneQueryBuilder()).size(0);
  }

  /**
   * Returns the clause that mixes (interleaves) the rankings of two models, or null if there is
   * none.
   */
  @Nullable EnsembleRescorerBuilder interleaving() {
    return interleaving;
  }

  /**
   * Requests that the response contains the hits of the search's own query if the clause fails.
   *
   * @param counters the search pipeline's counters, which count such responses
   */
  public void ignoreFailure(PipelineStats.Pipeline counters) {
    ignoring = counters;
  }

  /** Records the reason why a search pipeline did not add a clause to the search. */
  public void left(PipelineStats.Left reason) {
    left = reason;
  }

  /**
   * Returns the reason why a search pipeline did not add a clause to the search, or null if there
   * is none.
   */
  PipelineStats.@Nullable Left left() {
    return left;
  }

  /**
   * Returns a copy of the search as it was before its models were looked up.
   *
   * @param firstPass the search without its last clause
   */
  SearchSourceBuilder unbound(SearchSourceBuilder firstPass) {
    EnsembleRescorerBuilder clause = unbound;
    return clause == null ? firstPass : Clauses.with(firstPass, clause);
  }

  /**
   * Returns whether the search may look up its models again. The number of attempts is limited to
   * {@link #MAX_BINDINGS}. A search that is part of another one may not.
   */
  boolean mayBindAgain() {
    return !leftAlone && ++bindings <= MAX_BINDINGS;
  }

  /** Returns the models that the node has loaded; null if the search has no clause so far. */
  @Nullable ModelLookup models() {
    return models;
  }

  /**
   * Returns the record of the models and features that the search's clauses use; null if the search
   * has no clause so far.
   */
  @Nullable TracedSearch traced() {
    return traced;
  }

  /**
   * Returns the counters of the search pipeline that ignores failures of this search's clause; null
   * if failures are not ignored.
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

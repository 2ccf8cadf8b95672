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
import org.opensearch.common.util.CachedSupplier;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;

/**
 * The state of a search on its coordinating node. It is stored in the thread context, where the
 * processors of search pipelines find it. Written by one thread at a time.
 */
final class RunningSearch implements Releasable {
  private static final String KEY = "quickscorer.search";

  /** Maximum number of this plugin's processors that run within each other on one thread. */
  private static final int MAX_NESTED = 64;

  /** Maximum number of processors that rank one response, each by an additional search. */
  private static final int MAX_RANKINGS = 32;

  /** Maximum number of repetitions of a search whose models were replaced while it ran. */
  private static final int MAX_BINDINGS = 5;

  private static final String LEFT_ALONE = "quickscorer.search.left_alone";

  private final GuardedClient client;
  private final Task task;
  private final String localNode;
  private final RequestMemory memory;
  private final @Nullable String preference;
  private final Supplier<OtherProcessors> others;

  private final Supplier<ThreadContext.StoredContext> context;

  private final boolean leftAlone;

  private volatile @Nullable RequestBudget budget;
  private volatile @Nullable TracedSearch traced;
  private volatile @Nullable EnsembleRescorerBuilder interleaving;

  /** A copy of the last clause without the versions of its models; null if there is no clause. */
  private volatile @Nullable EnsembleRescorerBuilder unbound;

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
   * @param client runs additional searches
   * @param task the search's task
   * @param localNode this node's id
   * @param memory creates the search's budget
   * @param others returns which processors of others the search has
   */
  RunningSearch(
      GuardedClient client,
      Task task,
      String localNode,
      RequestMemory memory,
      @Nullable String preference,
      Supplier<OtherProcessors> others) {
    this.client = client;
    this.task = task;
    this.localNode = localNode;
    this.memory = memory;
    this.preference = preference;
    this.others = new CachedSupplier<>(others);
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

  /** Returns the search in a thread context; null if there is none. */
  static @Nullable RunningSearch in(ThreadContext context) {
    return context.getTransient(KEY);
  }

  /**
   * Returns whether this is an additional search, started by another search. Search pipelines must
   * not change it.
   */
  boolean isLeftAlone() {
    return leftAlone;
  }

  /**
   * Runs the next processor of a search pipeline. The server calls each processor from within the
   * previous one; after {@link #MAX_NESTED} calls, another thread is used, to limit the depth of
   * the stack.
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
   * @throws IllegalArgumentException (400) if there are more than {@link #MAX_RANKINGS}
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

  /** Switches to the thread context of the search request, until the returned object is closed. */
  ThreadContext.StoredContext context() {
    return context.get();
  }

  /**
   * Runs an additional search, which search pipelines do not rank. Never throws an exception: if
   * this search was cancelled, the listener gets a failure.
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
   * Returns a text that is equal for all pages of a search: its {@code preference} (a text that the
   * client chooses); without one, the text of its query.
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
   * Starts to record the models and features that the search's clauses use. Called once.
   *
   * @param request gets the body with the recording clauses
   * @param source the body with the clauses
   */
  public void trace(SearchRequest request, SearchSourceBuilder source) {
    // The key that selects one of an alias's models is computed from the present query, because
    // pipelines may change the query later.
    QueryBuilder query = source.query();
    unbound = Clauses.last(source);
    models = Clauses.of(source).getFirst().services().models();
    TracedSearch tracing = TracedSearch.of(source, budget(), others, () -> key(preference, query));
    traced = tracing;
    request.source(tracing.source());
    if (Boolean.TRUE.equals(source.explain())) {
      // A result from the server's cache does not say which hits were rescored.
      request.requestCache(false);
    }
  }

  /**
   * Sets the clause that mixes (interleaves) the rankings of two models. Two other searches will
   * compute the response.
   */
  void interleave(EnsembleRescorerBuilder clause) {
    interleaving = clause;
    models = clause.services().models();
  }

  /** Returns which processors of others the search has. */
  OtherProcessors others() {
    return others.get();
  }

  /** Returns the clause that mixes (interleaves) the rankings of two models; null for none. */
  @Nullable EnsembleRescorerBuilder interleaving() {
    return interleaving;
  }

  /**
   * Makes the response contain the hits of the search's own query if the clause fails.
   *
   * @param counters the search pipeline's counters, which count such responses
   */
  public void ignoreFailure(PipelineStats.Pipeline counters) {
    ignoring = counters;
  }

  /** Sets the reason why a search pipeline did not rank this search. */
  public void left(PipelineStats.Left reason) {
    left = reason;
  }

  /** Returns the reason why a search pipeline did not rank this search; null if there is none. */
  PipelineStats.@Nullable Left left() {
    return left;
  }

  /**
   * Returns the body of the search with its last clause, without the versions of the clause's
   * models.
   *
   * @param firstPass the search without its last clause
   */
  SearchSourceBuilder unbound(SearchSourceBuilder firstPass) {
    EnsembleRescorerBuilder clause = unbound;
    return clause == null ? firstPass : Clauses.with(firstPass, clause);
  }

  /**
   * Returns whether the search may be repeated with current versions of its models, and counts the
   * repetition. Additional searches are not repeated; other searches are repeated at most {@link
   * #MAX_BINDINGS} times.
   */
  boolean mayBindAgain() {
    return !leftAlone && ++bindings <= MAX_BINDINGS;
  }

  /** Returns the node's models; null if the search has no clause so far. */
  @Nullable ModelLookup models() {
    return models;
  }

  /**
   * Returns the record of the used models and features; null if the search has no clause so far.
   */
  @Nullable TracedSearch traced() {
    return traced;
  }

  /**
   * Returns the counters of the search pipeline if it ignores failures of the clause; else null.
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

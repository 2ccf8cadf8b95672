// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.coordinator;

import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ForeignVersion;
import io.quickscorer.plugin.rescore.answer.RescoreExt;
import io.quickscorer.plugin.rescore.answer.SearchResponses;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.clause.TimeBudget;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.rescore.shard.EnsembleRescorer;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;

/**
 * What the coordinating node does about searches that are rescored, around the search itself: says
 * in the answer which models scored it, goes back to the first pass where some shard's time was up,
 * and interleaves two rankings.
 */
public final class RescoreActionFilter implements ActionFilter {
  /** After filters that refuse requests, such as those of security. */
  private static final int ORDER = 100;

  private final Supplier<Client> client;
  private final Supplier<String> localNode;
  private final Supplier<RequestMemory> memory;

  /**
   * @param client runs further searches
   * @param localNode gives the local node's id
   * @param memory gives each search its budget
   */
  public RescoreActionFilter(
      Supplier<Client> client, Supplier<String> localNode, Supplier<RequestMemory> memory) {
    this.client = client;
    this.localNode = localNode;
    this.memory = memory;
  }

  @Override
  public int order() {
    return ORDER;
  }

  @Override
  @SuppressWarnings("unchecked") // a search request is answered by a search response
  public <Q extends ActionRequest, R extends ActionResponse> void apply(
      Task task,
      String action,
      Q request,
      ActionRequestMetadata<Q, R> metadata,
      ActionListener<R> listener,
      ActionFilterChain<Q, R> chain) {
    if (!action.equals(SearchAction.NAME)
        || !(request instanceof SearchRequest search)
        || search.source() == null
        || clauses(search.source()).isEmpty()) {
      chain.proceed(task, action, request, listener);
      return;
    }
    if (clauses(search.source()).stream().anyMatch(EnsembleRescorerBuilder::isBound)) {
      // Part of another cluster's search: that one has bound it, and makes the answer.
      chain.proceed(task, action, request, listener);
      return;
    }
    check(search.source());
    BiConsumer<SearchRequest, ActionListener<SearchResponse>> further = further(task);
    ActionListener<SearchResponse> answering = (ActionListener<SearchResponse>) listener;
    EnsembleRescorerBuilder last = last(search.source());
    if (last != null && last.options().names().seed() != null) {
      new InterleavedSearch(search.source(), last).run(search, further, answering);
      return;
    }
    RequestBudget budget = memory.get().budget();
    ActionListener<SearchResponse> closing = ActionListener.runAfter(answering, budget::close);
    Traced traced = Traced.of(search.source(), budget);
    SearchRequest again = new SearchRequest(search);
    search.source(traced.source);
    chain.proceed(
        task,
        action,
        request,
        (ActionListener<R>)
            ActionListener.<SearchResponse>wrap(
                answer -> traced.answered(answer, again, further, closing),
                failure -> closing.onFailure(retriable(failure))));
  }

  /** What is unavailable now, a model that is being loaded or memory, may be there in a moment. */
  private static Exception retriable(Exception failure) {
    if (failure instanceof OpenSearchException ours
        && (ours.status() == RestStatus.SERVICE_UNAVAILABLE
            || ours.status() == RestStatus.TOO_MANY_REQUESTS)
        && ours.getHeader("Retry-After") == null) {
      ours.addHeader("Retry-After", "1");
    }
    return failure;
  }

  private static List<EnsembleRescorerBuilder> clauses(SearchSourceBuilder source) {
    List<EnsembleRescorerBuilder> clauses = new ArrayList<>();
    if (source.rescores() != null) {
      for (RescorerBuilder<?> rescorer : source.rescores()) {
        if (rescorer instanceof EnsembleRescorerBuilder clause) {
          clauses.add(clause);
        }
      }
    }
    return clauses;
  }

  private static @Nullable EnsembleRescorerBuilder last(SearchSourceBuilder source) {
    return source.rescores().getLast() instanceof EnsembleRescorerBuilder clause ? clause : null;
  }

  /** What follows such a clause would rescore what is no ranking yet, or hide that time is up. */
  private static void check(SearchSourceBuilder source) {
    for (Object rescorer : source.rescores().subList(0, source.rescores().size() - 1)) {
      if (rescorer instanceof EnsembleRescorerBuilder clause
          && (clause.options().budget() != null || clause.options().names().seed() != null)) {
        throw new IllegalArgumentException(
            "["
                + EnsembleRescorerBuilder.NAME
                + "] a clause with [budget_ms] or [interleave] must be the last in [rescore]");
      }
    }
  }

  /** Runs searches as parts of a task, in the thread context of this moment. */
  private BiConsumer<SearchRequest, ActionListener<SearchResponse>> further(Task task) {
    ThreadContext context = client.get().threadPool().getThreadContext();
    Supplier<ThreadContext.StoredContext> restorable = context.newRestorableContext(false);
    return (request, listener) -> {
      request.setParentTask(new TaskId(localNode.get(), task.getId()));
      ActionListener<SearchResponse> preserving =
          new ContextPreservingActionListener<>(restorable, listener);
      try (ThreadContext.StoredContext ignored = restorable.get()) {
        client.get().search(request, preserving);
      }
    };
  }

  /** A search with its clauses traced, and what to make of its answer. */
  private static final class Traced {
    private final SearchSourceBuilder source;
    private final List<EnsembleRescorerBuilder> clauses;
    private final RequestBudget budget;
    private final List<ClauseTrace> traces = new ArrayList<>();

    private Traced(
        SearchSourceBuilder source, List<EnsembleRescorerBuilder> clauses, RequestBudget budget) {
      this.source = source;
      this.clauses = clauses;
      this.budget = budget;
    }

    static Traced of(SearchSourceBuilder source, RequestBudget budget) {
      List<?> rescorers = List.copyOf(source.rescores());
      Traced traced = new Traced(source.shallowCopy(), clauses(source), budget);
      int collected = CollectedHits.of(source);
      traced.source.clearRescorers();
      for (Object rescorer : rescorers) {
        if (rescorer instanceof EnsembleRescorerBuilder clause) {
          ClauseTrace trace = new ClauseTrace(budget);
          traced.traces.add(trace);
          traced.source.addRescorer(clause.traced(trace, collected));
        } else {
          traced.source.addRescorer((RescorerBuilder<?>) rescorer);
        }
      }
      return traced;
    }

    void answered(
        SearchResponse answer,
        SearchRequest again,
        BiConsumer<SearchRequest, ActionListener<SearchResponse>> further,
        ActionListener<SearchResponse> listener) {
      OpenSearchException foreign = foreignVersion(answer);
      if (foreign != null) {
        listener.onFailure(foreign);
        return;
      }
      budget.charge(ShownHits.textBytes(answer.getHits()), "<quickscorer answer>");
      ShownHits.write(answer.getHits());
      RescoreExt ext = RescoreExt.of(clauses, traces);
      if (!RescoreExt.agree(List.of(ext))) {
        listener.onFailure(RescoreExt.moved());
        return;
      }
      long took = answer.getTook().millis();
      TimeBudget time = clauses.getLast().options().budget();
      if (time == null || answer.getHits().getMaxScore() != EnsembleRescorer.TIME_IS_UP) {
        listener.onResponse(SearchResponses.with(answer, answer.getHits(), ext, took));
      } else if (time.error()) {
        listener.onFailure(spent(time));
      } else {
        further.accept(
            again.source(withoutLastClause(again.source())),
            ActionListener.wrap(
                first ->
                    listener.onResponse(
                        SearchResponses.with(
                            first,
                            first.getHits(),
                            ext.fallenBack(),
                            took + first.getTook().millis())),
                listener::onFailure));
      }
    }

    /** A shard that lacks the version makes no answer that lacks its hits, but none at all. */
    private static @Nullable OpenSearchException foreignVersion(SearchResponse answer) {
      for (ShardSearchFailure failure : answer.getShardFailures()) {
        OpenSearchException foreign = ForeignVersion.among(failure.getCause());
        if (foreign != null) {
          return foreign;
        }
      }
      return null;
    }

    private static OpenSearchException spent(TimeBudget budget) {
      return new OpenSearchStatusException(
          "[{}] rescoring took longer than [budget_ms] {} on some shard",
          RestStatus.GATEWAY_TIMEOUT,
          EnsembleRescorerBuilder.NAME,
          budget.millis());
    }

    private static SearchSourceBuilder withoutLastClause(SearchSourceBuilder source) {
      List<?> rescorers = List.copyOf(source.rescores());
      SearchSourceBuilder without = source.shallowCopy();
      without.clearRescorers();
      for (Object rescorer : rescorers.subList(0, rescorers.size() - 1)) {
        without.addRescorer((RescorerBuilder<?>) rescorer);
      }
      return without;
    }
  }
}

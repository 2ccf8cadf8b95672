// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Failures;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ForeignVersion;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.stats.PipelineStats;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.lease.Releasables;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.tasks.Task;

/**
 * Handles searches with this plugin's clauses on the coordinating node: adds a description of the
 * models to the response, and mixes (interleaves) the rankings of two models. If a shard ran out of
 * time, the response has the order of the search's own query.
 *
 * @param client runs additional searches
 * @param localNode returns the local node's id
 * @param memory creates each search's budget
 * @param release called when a search in a point in time ends, with the random text (nonce) of one
 *     of its clauses; the shards then release this clause's feature values
 * @param others returns which processors of others a search has
 */
record RescoreActionFilter(
    Supplier<GuardedClient> client,
    Supplier<String> localNode,
    Supplier<RequestMemory> memory,
    Consumer<String> release,
    Function<SearchRequest, OtherProcessors> others)
    implements ActionFilter {
  /** The position of this filter: after the server's filters that reject requests. */
  private static final int ORDER = 100;

  @Override
  public int order() {
    return ORDER;
  }

  @Override
  public <Q extends ActionRequest, R extends ActionResponse> void apply(
      Task task,
      String action,
      Q request,
      ActionRequestMetadata<Q, R> metadata,
      ActionListener<R> listener,
      ActionFilterChain<Q, R> chain) {
    if (!action.equals(SearchAction.NAME) || !(request instanceof SearchRequest search)) {
      chain.proceed(task, action, request, listener);
      return;
    }
    List<Releasable> brought = Clauses.memory(search.source());
    ActionListener<R> releasing =
        ActionListener.runAfter(listener, () -> Releasables.close(brought));
    try {
      Guard.run(() -> "a search", () -> apply(task, action, search, request, releasing, chain));
    } catch (RuntimeException e) {
      Releasables.close(brought);
      throw e;
    }
  }

  @SuppressWarnings("unchecked") // the response of a search request is a search response
  private <Q extends ActionRequest, R extends ActionResponse> void apply(
      Task task,
      String action,
      SearchRequest search,
      Q request,
      ActionListener<R> listener,
      ActionFilterChain<Q, R> chain) {
    ActionListener<SearchResponse> answering = (ActionListener<SearchResponse>) listener;
    SearchRequest firstPass = SearchBody.mayHaveClause(search) ? Clauses.copy(search) : search;
    RunningSearch running =
        new RunningSearch(
            client.get(),
            task,
            localNode.get(),
            memory.get(),
            search.preference(),
            () -> others.apply(firstPass));
    if (search.source() != null && !Clauses.of(search.source()).isEmpty()) {
      if (Clauses.of(search.source()).stream().anyMatch(EnsembleRescorerBuilder::isBound)) {
        // This search is a part of another cluster's search. That cluster has determined the
        // versions of the models, and completes the response.
        chain.proceed(task, action, request, listener);
        return;
      }
      check(search.source());
      EnsembleRescorerBuilder last = Clauses.last(search.source());
      if (last != null && last.options().names().seed() != null) {
        running.interleave(last);
        firstPass.source(Clauses.withoutLast(search.source()));
        new Attempt(running, firstPass, answering).interleave(last);
        return;
      }
      if (last != null) {
        firstPass.source(Clauses.withoutLast(search.source()));
      }
      running.trace(search, search.source());
    }
    ActionListener<SearchResponse> closing =
        ActionListener.runAfter(
            answering,
            () -> {
              running.close();
              TracedSearch traced = running.traced();
              if (traced != null) {
                traced.release(release);
              }
            });
    try (ThreadContext.StoredContext ignored = running.enter()) {
      chain.proceed(
          task,
          action,
          request,
          (ActionListener<R>)
              Guard.listener(
                  () -> "the response of a search",
                  new Attempt(running, firstPass, closing).answered()));
    }
  }

  /**
   * A search that is repeated if a version of one of its models was replaced or deleted meanwhile.
   *
   * @param firstPass the search without its last clause
   */
  private record Attempt(
      RunningSearch running, SearchRequest firstPass, ActionListener<SearchResponse> listener) {
    private ActionListener<SearchResponse> answered() {
      return ActionListener.wrap(
          answer -> {
            TracedSearch traced = running.traced();
            EnsembleRescorerBuilder interleaving = running.interleaving();
            if (interleaving != null) {
              interleave(interleaving);
            } else if (traced == null) {
              listener.onResponse(described(answer, running.left()));
            } else {
              complete(
                  answer,
                  whole ->
                      traced.answered(
                          whole,
                          firstPass,
                          running,
                          ActionListener.wrap(listener::onResponse, this::failed)));
            }
          },
          this::failed);
    }

    private void complete(SearchResponse answer, Consumer<SearchResponse> next) {
      if (running.ignoring() != null && answer.getFailedShards() > 0) {
        failed(SearchResponses.cause(answer));
      } else {
        next.accept(answer);
      }
    }

    /** Runs the search again as an {@link InterleavedSearch}, and completes its response. */
    private void interleave(EnsembleRescorerBuilder clause) {
      new InterleavedSearch(Clauses.with(Clauses.source(firstPass), clause), clause)
          .run(
              firstPass,
              running::search,
              ActionListener.wrap(answer -> complete(answer, listener::onResponse), this::failed));
    }

    /**
     * Returns a copy of the response that contains the reason why the search was not ranked.
     * Returns the response itself if the reason is null, or if it already has a section {@code
     * ext.quickscorer}.
     */
    private static SearchResponse described(
        SearchResponse answer, PipelineStats.@Nullable Left reason) {
      return reason == null || SearchResponses.ext(answer) != null
          ? answer
          : SearchResponses.leftAlone(answer, reason);
    }

    /**
     * Handles a failed search. If a version of a model was replaced or deleted meanwhile, the
     * search is repeated with the current version. Otherwise the listener gets the failure, or the
     * hits of the search's own query if the search pipeline ignores failures.
     */
    private void failed(Exception failure) {
      Guard.recovery(listener, this::repeat).accept(failure);
    }

    private void repeat(Exception failure) {
      OpenSearchException foreign = ForeignVersion.among(failure);
      ModelLookup models = running.models();
      if (foreign == null || models == null || !running.mayBindAgain()) {
        failedForGood(failure);
        return;
      }
      models.whenGone(
          ForeignVersion.bound(foreign),
          ActionListener.wrap(
              gone -> bindAgain(),
              Guard.recovery(listener, stillExists -> failedForGood(failure))));
    }

    private void bindAgain() {
      EnsembleRescorerBuilder interleaving = running.interleaving();
      if (interleaving != null) {
        interleave(interleaving);
        return;
      }
      running.search(
          Clauses.copy(firstPass, running.unbound(SearchBody.copy(Clauses.source(firstPass)))),
          ActionListener.wrap(listener::onResponse, this::failed));
    }

    private void failedForGood(Exception failure) {
      PipelineStats.Pipeline ignoring = running.ignoring();
      if (ignoring == null) {
        // A model may be being loaded, or memory may be short.
        listener.onFailure(running.traced() == null ? failure : Failures.retriable(failure));
        return;
      }
      running.search(
          Clauses.copy(firstPass),
          ActionListener.map(
              listener,
              first -> {
                ignoring.ignoredFailure();
                return SearchResponses.ignored(first, failure);
              }));
    }
  }

  /**
   * Checks the order and options of a search's rescorers. A clause that interleaves, ranks over all
   * shards or has a time limit must be the last one, because a rescorer after it would rank
   * unfinished results.
   *
   * @throws IllegalArgumentException if the search is not allowed
   */
  private static void check(SearchSourceBuilder source) {
    EnsembleRescorerBuilder last = Clauses.last(source);
    if (source.collapse() != null
        && (last == null || !last.options().isGlobal() || last.options().names().seed() != null)) {
      throw wrong(
          "[collapse] needs, as the last rescorer, a clause with [scope] global and without"
              + " [interleave], because a shard has only its own hits of a group");
    }
    if (last != null
        && last.options().names().seed() != null
        && source.storedFields() != null
        && !source.storedFields().fetchFields()) {
      throw wrong(
          "[interleave] needs the ids of the hits, which [stored_fields] _none_ leaves out");
    }
    for (Object rescorer : source.rescores().subList(0, source.rescores().size() - 1)) {
      if (rescorer instanceof EnsembleRescorerBuilder clause
          && (clause.options().budget() != null
              || clause.options().names().seed() != null
              || clause.options().isGlobal())) {
        throw wrong(
            "a clause with [budget_ms], [interleave] or [scope] global must be the last in"
                + " [rescore]");
      }
    }
    // Otherwise, one alias could refer to different models in two clauses of a search.
    if (Clauses.of(source).stream()
            .map(clause -> Optional.ofNullable(clause.options().names().shareKey()))
            .distinct()
            .count()
        > 1) {
      throw wrong("all clauses of a search must have the same [share_key]");
    }
  }

  private static IllegalArgumentException wrong(String reason) {
    return new IllegalArgumentException("[" + EnsembleRescorerBuilder.NAME + "] " + reason);
  }
}

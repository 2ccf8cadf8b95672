// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.rescore.shard.CarriedHit;
import io.quickscorer.plugin.rescore.shard.GlobalRanking;
import io.quickscorer.plugin.rescore.shard.HitGroups;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.threadpool.ThreadPool;

/**
 * Ranks the hits of all shards of a search together, on the coordinating node.
 *
 * @param place the index of the clause among the search's clauses
 * @param collapse the groups of which the response shows the best hits; null if hits are not
 *     grouped
 * @param from the index of the first hit of the page
 * @param size the maximum number of hits of the page
 * @param budget the memory budget of the whole search
 */
record GlobalSearch(
    EnsembleRescorerBuilder clause,
    int place,
    @Nullable HitGroups collapse,
    int from,
    int size,
    RequestBudget budget) {

  /**
   * Ranks the hits of a response: waits until the models are loaded, then continues on a search
   * thread.
   *
   * @param binding the used versions of models; null is refused as a bug
   * @param firstPass the search without the clause
   * @param ranked creates the ranked response from the page and the whole time in milliseconds
   */
  void rank(
      SearchResponse answer,
      ClauseTrace.@Nullable Binding binding,
      SearchRequest firstPass,
      RunningSearch running,
      BiFunction<GlobalRanking.Page, Long, SearchResponse> ranked,
      ActionListener<SearchResponse> listener) {
    if (binding == null) {
      throw new IllegalStateException(
          "internal error: the search's clause has no model version; report this as a bug");
    }
    checkCollapse(
        answer,
        binding.clause(),
        firstPass,
        running,
        ActionListener.wrap(
            checked -> rank(answer, binding.clause(), running, ranked, listener),
            listener::onFailure));
  }

  private void checkCollapse(
      SearchResponse answer,
      BoundClause bound,
      SearchRequest firstPass,
      RunningSearch running,
      ActionListener<Void> listener) {
    if (collapse == null) {
      listener.onResponse(null);
      return;
    }
    try (ThreadContext.StoredContext ignored = running.context()) {
      String sent = CarriedHit.field(Objects.requireNonNull(bound.nonce()));
      collapse.checkMapped(running.client(), firstPass, answer.getHits(), sent, listener);
    }
  }

  private void rank(
      SearchResponse answer,
      BoundClause bound,
      RunningSearch running,
      BiFunction<GlobalRanking.Page, Long, SearchResponse> ranked,
      ActionListener<SearchResponse> listener) {
    long start = System.nanoTime();
    GlobalRanking ranking =
        new GlobalRanking(
            clause.services(),
            clause.options(),
            bound,
            place,
            Clauses.window(clause),
            collapse,
            budget,
            running.cancellation());
    clause.load(
        bound,
        running.client(),
        ActionListener.wrap(
            loaded ->
                Guard.executor(running.client().threadPool(), ThreadPool.Names.SEARCH)
                    .execute(
                        ActionRunnable.supply(
                            listener,
                            () -> {
                              GlobalRanking.Page page =
                                  ranking.rank(ranked(answer.getHits()), from, size);
                              long nanos = System.nanoTime() - start;
                              return ranked.apply(
                                  page, answer.getTook().millis() + nanos / 1_000_000);
                            })),
            listener::onFailure));
  }

  /**
   * Returns the hits of a response. If the clause ranks the hits of another search, leaves out
   * documents that only have the id of one of these hits.
   */
  private SearchHits ranked(SearchHits hits) {
    if (!clause.isStanding()) {
      return hits;
    }
    SearchHit[] found =
        Arrays.stream(hits.getHits())
            .filter(hit -> hit.getScore() != StandingHits.NOT_A_HIT)
            .toArray(SearchHit[]::new);
    return new SearchHits(found, hits.getTotalHits(), hits.getMaxScore());
  }
}

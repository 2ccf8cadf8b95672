// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;

/**
 * Ranks the hits of all shards together, on the coordinating node. The models score the first hits
 * in their current order, except those that a shard has scored. Hits with equal new scores keep
 * this order.
 *
 * @param place the clause's index among the clauses of its search
 * @param window the maximum number of hits that the models score
 * @param collapse the groups of which the response shows the best hits; null if hits are not
 *     grouped
 * @param budget the memory budget of the whole search
 */
public record GlobalRanking(
    RescoreServices services,
    ClauseOptions options,
    BoundClause bound,
    int place,
    int window,
    @Nullable HitGroups collapse,
    RequestBudget budget,
    Cancellation cancellation) {

  /**
   * A page of the ranking over all shards.
   *
   * @param hits the hits of the page
   * @param belowScore the number of scored hits that were removed because of a low model score
   * @param beyondRank the number of other scored hits that were removed because they come after the
   *     maximum rank
   */
  public record Page(SearchHits hits, int belowScore, int beyondRank) {}

  /**
   * Scores hits, and returns a page of the ranking. Without a model, hits keep their order and
   * scores. The models must be loaded on this node. Must not run on a transport thread.
   *
   * @param hits the hits with the data that shards sent; this method modifies the hits
   * @param from the index of the page's first hit
   * @param size the maximum number of hits of the page
   */
  public Page rank(SearchHits hits, int from, int size) throws IOException {
    List<SearchHit> all = List.of(hits.getHits());
    List<SearchHit> ranked = all.subList(0, Math.min(window, all.size()));
    if (all.isEmpty()) {
      return new Page(hits, 0, 0);
    }
    String field = CarriedHit.field(Objects.requireNonNull(bound.nonce()));
    List<CarriedHit> sent = all.stream().map(hit -> CarriedHit.take(hit, field)).toList();
    int valued = (int) sent.stream().filter(hit -> hit.values().length > 0).count();
    budget.checkValues(GlobalWindow.width(bound), Math.max(valued, ranked.size()));
    List<CarriedHit> first = sent.subList(0, ranked.size());
    List<CarriedHit> unscored = first.stream().filter(hit -> hit.score() == null).toList();
    int rows = (int) first.stream().filter(CarriedHit::needsValues).count();
    try (RescoreServices.ModelUses uses = services.acquire(bound.ids());
        MemoryCharge ignored =
            MemoryCharge.take(
                services.memory().breaker(),
                GlobalWindow.bytes(bound, rows + unscored.size(), uses.models()),
                "quickscorer global window")) {
      GlobalWindow values = GlobalWindow.of(bound, first);
      double[][] scores = scores(uses.models(), first, unscored, values);
      long start = System.nanoTime();
      GlobalOrder order =
          new GlobalOrder(this, all, sent, ranked.size(), scores, values, uses.models());
      Page cut = order.cut(hits, from, size);
      services.stats().ranked(ranked.size(), System.nanoTime() - start);
      return cut;
    }
  }

  /**
   * Returns the scores of hits by each model, in part computed on this node.
   *
   * @param sent the data that the shards sent
   * @param unscored those without a score
   * @param values the feature values of the hits
   */
  private double[][] scores(
      List<CompiledModel> models,
      List<CarriedHit> sent,
      List<CarriedHit> unscored,
      GlobalWindow values) {
    if (unscored.isEmpty()) {
      return new double[][] {sent.stream().mapToDouble(CarriedHit::score).toArray()};
    }
    boolean all = unscored.size() == sent.size();
    GlobalWindow window = all ? values : GlobalWindow.of(bound, unscored);
    double[][] computed = window.scores(services, options, bound, models, true, cancellation);
    if (all) {
      return computed;
    }
    double[] scores = new double[sent.size()];
    int next = 0;
    for (int i = 0; i < scores.length; i++) {
      Double score = sent.get(i).score();
      scores[i] = score != null ? score : computed[0][next++];
    }
    return new double[][] {scores};
  }
}

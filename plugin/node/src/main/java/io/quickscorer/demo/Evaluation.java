// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Ndcg;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * The rankings by one kind of search, such as a search with the model, of the hits of queries that
 * were not used for training.
 */
final class Evaluation {
  private final List<Ranking> rankings = new ArrayList<>();

  /**
   * The ranking of one query.
   *
   * @param ids the ids of at most ten hits, the best first
   * @param tookMillis the search time that the node measured, in ms
   */
  record Ranking(JudgedQuery query, List<String> ids, long tookMillis) {
    static Ranking of(JudgedQuery query, JsonNode response) {
      List<String> ids = new ArrayList<>();
      response.at("/hits/hits").forEach(hit -> ids.add(hit.get("_id").asString()));
      return new Ranking(query, ids, response.get("took").asLong());
    }

    double ndcg() {
      return Ndcg.DEFAULT.of(query, ids);
    }
  }

  void add(Ranking ranking) {
    rankings.add(ranking);
  }

  List<Ranking> rankings() {
    return rankings;
  }

  double meanNdcg() {
    return meanNdcg(query -> true);
  }

  /**
   * Returns the mean NDCG (a quality measure, 0 to 1) of the queries that meet a condition; NaN if
   * there are none.
   */
  double meanNdcg(Predicate<JudgedQuery> condition) {
    return rankings.stream()
        .filter(ranking -> condition.test(ranking.query()))
        .mapToDouble(Ranking::ndcg)
        .average()
        .orElse(Double.NaN);
  }

  double meanTookMillis() {
    return rankings.stream().mapToLong(Ranking::tookMillis).average().orElse(Double.NaN);
  }
}

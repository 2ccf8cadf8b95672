// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Ndcg;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** The rankings that one way of searching gave to held-out queries. */
final class Evaluation {
  private final List<Ranking> rankings = new ArrayList<>();

  /**
   * One query's answer.
   *
   * @param ids at most ten, the best first
   * @param tookMillis as the node measured it
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

  /** Over the queries of a kind; NaN if there are none. */
  double meanNdcg(Predicate<JudgedQuery> kind) {
    return rankings.stream()
        .filter(ranking -> kind.test(ranking.query()))
        .mapToDouble(Ranking::ndcg)
        .average()
        .orElse(Double.NaN);
  }

  double meanTookMillis() {
    return rankings.stream().mapToLong(Ranking::tookMillis).average().orElse(Double.NaN);
  }
}

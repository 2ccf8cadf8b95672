// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Held-out queries ranked by the first pass and by a model, over the hits that were logged.
 *
 * @param queries in the order of the log
 * @param depth of NDCG
 */
public record Comparison(List<Query> queries, int depth) {
  public Comparison {
    queries = List.copyOf(queries);
  }

  /** The measures of one ranking. */
  public record Quality(double ndcg, double averagePrecision, double reciprocalRank) {
    static Quality of(JudgedQuery query, List<String> ranking, int depth) {
      return new Quality(
          RankingQuality.ndcg(query, ranking, depth),
          RankingQuality.averagePrecision(query, ranking),
          RankingQuality.reciprocalRank(query, ranking));
    }
  }

  /**
   * One query.
   *
   * @param before ids of the hits in the first pass's order
   * @param after the same hits by the model's score; those of one score stay in order
   */
  public record Query(
      JudgedQuery query, List<String> before, List<String> after, Quality first, Quality model) {
    public double gain() {
      return model.ndcg() - first.ndcg();
    }
  }

  /**
   * Compares.
   *
   * @param scores the model's, per query and hit
   */
  public static Comparison of(List<FeatureRows.Hits> hits, List<double[]> scores, int depth) {
    List<Query> queries = new ArrayList<>();
    for (int q = 0; q < hits.size(); q++) {
      JudgedQuery query = hits.get(q).query();
      List<String> before = hits.get(q).ids();
      double[] of = scores.get(q);
      List<String> after =
          IntStream.range(0, of.length)
              .boxed()
              .sorted(Comparator.comparingDouble((Integer i) -> -of[i]))
              .map(before::get)
              .toList();
      queries.add(
          new Query(
              query,
              before,
              after,
              Quality.of(query, before, depth),
              Quality.of(query, after, depth)));
    }
    return new Comparison(queries, depth);
  }

  public double meanFirst(ToDoubleFunction<Quality> measure) {
    return queries.stream().mapToDouble(q -> measure.applyAsDouble(q.first())).average().orElse(0);
  }

  public double meanModel(ToDoubleFunction<Quality> measure) {
    return queries.stream().mapToDouble(q -> measure.applyAsDouble(q.model())).average().orElse(0);
  }

  /** How sure the gain in a measure is. */
  public PairedBootstrap bootstrap(ToDoubleFunction<Quality> measure) {
    return PairedBootstrap.of(
        queries.stream()
            .mapToDouble(q -> measure.applyAsDouble(q.model()) - measure.applyAsDouble(q.first()))
            .toArray());
  }
}

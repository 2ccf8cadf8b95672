// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Held-out queries ranked by the first pass and by a model, over the hits that were logged, and
 * perhaps by another first pass.
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
   * @param tuned of the best first pass found by hand; null if none was looked for
   */
  public record Query(
      JudgedQuery query,
      List<String> before,
      List<String> after,
      Quality first,
      Quality model,
      @Nullable Quality tuned) {
    /**
     * @param byHand the ranking of the best first pass found by hand, or null
     * @param depth of NDCG
     */
    public static Query of(
        JudgedQuery query,
        List<String> before,
        List<String> after,
        @Nullable List<String> byHand,
        int depth) {
      return new Query(
          query,
          before,
          after,
          Quality.of(query, before, depth),
          Quality.of(query, after, depth),
          byHand == null ? null : Quality.of(query, byHand, depth));
    }

    public double gain() {
      return model.ndcg() - first.ndcg();
    }
  }

  /**
   * Compares.
   *
   * @param scores the model's, per query and hit
   * @param byHand rankings of the best first pass found by hand, by the queries' ids; else empty
   */
  public static Comparison of(
      List<FeatureRows.Hits> hits,
      List<double[]> scores,
      Map<String, List<String>> byHand,
      int depth) {
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
      List<String> tuned = byHand.isEmpty() ? null : byHand.getOrDefault(query.id(), List.of());
      queries.add(Query.of(query, before, after, tuned, depth));
    }
    return new Comparison(queries, depth);
  }

  public double meanFirst(ToDoubleFunction<Quality> measure) {
    return queries.stream().mapToDouble(q -> measure.applyAsDouble(q.first())).average().orElse(0);
  }

  public double meanModel(ToDoubleFunction<Quality> measure) {
    return queries.stream().mapToDouble(q -> measure.applyAsDouble(q.model())).average().orElse(0);
  }

  /** Whether there is a first pass found by hand to compare with. */
  public boolean hasTuned() {
    return queries.stream().allMatch(query -> query.tuned != null);
  }

  /** Of the best first pass found by hand, which there must be. */
  public double meanTuned(ToDoubleFunction<Quality> measure) {
    return queries.stream()
        .mapToDouble(q -> measure.applyAsDouble(Objects.requireNonNull(q.tuned)))
        .average()
        .orElse(0);
  }

  /** How sure the gain in a measure over the best first pass found by hand is. */
  public PairedBootstrap bootstrapOverTuned(ToDoubleFunction<Quality> measure) {
    return PairedBootstrap.of(
        queries.stream()
            .mapToDouble(
                q ->
                    measure.applyAsDouble(q.model)
                        - measure.applyAsDouble(Objects.requireNonNull(q.tuned)))
            .toArray());
  }

  /** Whether the model is better than all that there is to compare with, beyond noise. */
  public boolean isBetter() {
    return bootstrap(Quality::ndcg).isSignificant()
        && (!hasTuned() || bootstrapOverTuned(Quality::ndcg).isSignificant());
  }

  /** How sure the gain in a measure is. */
  public PairedBootstrap bootstrap(ToDoubleFunction<Quality> measure) {
    return PairedBootstrap.of(
        queries.stream()
            .mapToDouble(q -> measure.applyAsDouble(q.model()) - measure.applyAsDouble(q.first()))
            .toArray());
  }
}

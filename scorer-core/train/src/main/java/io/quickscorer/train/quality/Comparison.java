// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The comparison of a model's rankings of logged hits with the rankings of baselines.
 *
 * @param queries the queries in the order of the feature log, all with the same baselines
 * @param measure the measure of ranking quality
 */
public record Comparison(List<Query> queries, Ndcg measure) {
  /** A source of rankings with which the rankings of the trained model are compared. */
  public enum Baseline {
    /** The hits in the order of the search without a model. This baseline is always present. */
    FIRST_PASS("the first pass"),
    /** The ranking by the best search query without a model that {@code --tune-fields} found. */
    BY_HAND("the best first pass tuned by hand"),
    /** The ranking by the model that searches on the cluster use now. */
    LIVE("the live model");

    private final String title;

    Baseline(String title) {
      this.title = title;
    }

    /** Returns the baseline's name as it appears within a sentence. */
    public String title() {
      return title;
    }
  }

  public Comparison {
    queries = List.copyOf(queries);
  }

  /**
   * The quality of one ranking by three measures, each from 0 (worst) to 1 (best).
   *
   * @param ndcg NDCG, as {@link Ndcg} defines it
   * @param averagePrecision the average precision, as {@link RankingQuality#averagePrecision}
   *     defines it
   * @param reciprocalRank 1 / the position of the first relevant document
   */
  public record Quality(double ndcg, double averagePrecision, double reciprocalRank) {
    static Quality of(JudgedQuery query, List<String> ranking, Ndcg measure) {
      return new Quality(
          measure.of(query, ranking),
          RankingQuality.averagePrecision(query, ranking),
          RankingQuality.reciprocalRank(query, ranking));
    }
  }

  /**
   * The rankings of one query, and the measures of their quality.
   *
   * @param query the query
   * @param before the ids of the hits in the order of the search without a model
   * @param after the ids of the hits sorted by the model's scores; hits with equal scores stay in
   *     the order of {@code before}
   * @param model the quality of the model's ranking
   * @param baselines the quality of each baseline's ranking
   */
  public record Query(
      JudgedQuery query,
      List<String> before,
      List<String> after,
      Quality model,
      Map<Baseline, Quality> baselines) {
    /**
     * Measures the quality of the rankings of one query.
     *
     * @param before the ids of the hits in the order of the search without a model
     * @param after the ids of the hits in the order of the model
     * @param others the ids of the hits in the order of other baselines
     */
    public static Query of(
        JudgedQuery query,
        List<String> before,
        List<String> after,
        Map<Baseline, List<String>> others,
        Ndcg measure) {
      Map<Baseline, Quality> baselines = new EnumMap<>(Baseline.class);
      baselines.put(Baseline.FIRST_PASS, Quality.of(query, before, measure));
      others.forEach(
          (baseline, ranking) -> baselines.put(baseline, Quality.of(query, ranking, measure)));
      return new Query(query, before, after, Quality.of(query, after, measure), baselines);
    }

    /** Returns the quality of the first-pass ranking, the order of the search without a model. */
    public Quality first() {
      return of(Baseline.FIRST_PASS);
    }

    private Quality of(Baseline baseline) {
      return Objects.requireNonNull(baselines.get(baseline));
    }

    public double gain() {
      return model.ndcg() - first().ndcg();
    }
  }

  /**
   * Compares the model's rankings with those of baselines.
   *
   * @param scores the model's scores of each query's hits; they are rounded to float, as in a
   *     search
   * @param others the rankings of baselines other than the first pass: for each of them, a map from
   *     query id to ranking
   */
  public static Comparison of(
      List<FeatureRows.Hits> hits,
      List<double[]> scores,
      Map<Baseline, Map<String, List<String>>> others,
      Ndcg measure) {
    List<Query> queries = new ArrayList<>();
    for (int q = 0; q < hits.size(); q++) {
      JudgedQuery query = hits.get(q).query();
      List<String> before = hits.get(q).ids();
      double[] queryScores = scores.get(q);
      List<String> after =
          IntStream.range(0, queryScores.length)
              .boxed()
              .sorted(Comparator.comparingDouble((Integer i) -> -(float) queryScores[i]))
              .map(before::get)
              .toList();
      Map<Baseline, List<String>> rankings = new EnumMap<>(Baseline.class);
      others.forEach((name, all) -> rankings.put(name, all.getOrDefault(query.id(), List.of())));
      queries.add(Query.of(query, before, after, rankings, measure));
    }
    return new Comparison(queries, measure);
  }

  /** Returns the baselines that all queries have, in the order of {@link Baseline}. */
  public List<Baseline> baselines() {
    return Stream.of(Baseline.values())
        .filter(b -> queries.stream().allMatch(query -> query.baselines.containsKey(b)))
        .toList();
  }

  public double meanModel(ToDoubleFunction<Quality> of) {
    return queries.stream().mapToDouble(q -> of.applyAsDouble(q.model)).average().orElse(0);
  }

  /** Returns the mean of a quality measure over the queries, for the rankings of a baseline. */
  public double mean(Baseline baseline, ToDoubleFunction<Quality> of) {
    return queries.stream().mapToDouble(q -> of.applyAsDouble(q.of(baseline))).average().orElse(0);
  }

  /**
   * Returns the mean gain of the model over a baseline, with its bootstrap interval.
   *
   * @param of the quality measure to compare
   */
  public PairedBootstrap bootstrap(Baseline baseline, ToDoubleFunction<Quality> of) {
    return PairedBootstrap.of(
        queries.stream()
            .mapToDouble(q -> of.applyAsDouble(q.model) - of.applyAsDouble(q.of(baseline)))
            .toArray());
  }

  /**
   * Returns the baselines for which {@code property} is true. The property is tested on the model's
   * NDCG minus the baseline's.
   */
  public List<Baseline> where(Predicate<PairedBootstrap> property) {
    return baselines().stream().filter(b -> property.test(bootstrap(b, Quality::ndcg))).toList();
  }

  /** Returns whether the trained model is significantly better than every baseline. */
  public boolean isBetter() {
    return where(PairedBootstrap::isSignificant).equals(baselines());
  }

  /**
   * Returns whether the model is not significantly worse than the live model, and significantly
   * better than all other baselines.
   */
  public boolean isNotWorse() {
    return baselines().stream()
        .allMatch(
            baseline -> {
              PairedBootstrap gain = bootstrap(baseline, Quality::ndcg);
              return baseline == Baseline.LIVE ? !gain.isSignificantLoss() : gain.isSignificant();
            });
  }
}

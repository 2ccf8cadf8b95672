// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.explain.FeatureImportance;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.quality.PairedBootstrap;
import io.quickscorer.train.report.Frontier;
import io.quickscorer.train.search.CostMeasurement;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.trainer.TrainingOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Searches for rankings that cost less than a trained model: without features that cost more than
 * they gain, with fewer trees, or with smaller windows. Features are removed step by step, first
 * those with the smallest loss of NDCG on the validation queries per microsecond; the model is
 * trained again after each step. For use by one thread, once.
 */
final class CostStudy {
  /** The share of the remaining features that each step removes. */
  private static final double STEP = 0.2;

  /**
   * Factors with which features' costs are multiplied when the trainer penalizes features. With 1,
   * an average feature costs the gain of an average split.
   */
  private static final List<Double> TRADEOFFS = List.of(0.2, 1.0, 5.0);

  /** Divisors that are tried for the number of trees and for the window size. */
  private static final List<Integer> PARTS = List.of(2, 4);

  private static final long SEED = 17;

  private final TrainingFolder.Trained start;
  private final TrainingData data;
  private final Ndcg measure;
  private final CostMeasurement cluster;
  private final List<Fit> fits = new ArrayList<>();
  private final List<Frontier.Feature> features = new ArrayList<>();

  /** Estimated time to extract each feature, in µs, by the index of the feature. */
  private final Map<Integer, Double> costs = new HashMap<>();

  /** A candidate: a model and a window size, with the NDCG of each held-out query. */
  private record Fit(
      String name,
      TrainingOptions options,
      TrainedModel model,
      TreeEnsemble ensemble,
      int window,
      double[] ndcg) {
    BitSet tested() {
      BitSet tested = new BitSet();
      IntStream.range(0, ensemble.featureNames().size())
          .filter(ensemble::uses)
          .forEach(tested::set);
      return tested;
    }

    PairedBootstrap over(Fit other) {
      return PairedBootstrap.of(ndcg, other.ndcg);
    }
  }

  CostStudy(TrainingFolder.Trained start, Ndcg measure, CostMeasurement cluster) {
    this.start = start;
    this.data = start.data();
    this.measure = measure;
    this.cluster = cluster;
  }

  /**
   * Trains and measures all candidate rankings.
   *
   * @throws IllegalStateException if the trainer or the cluster refuses a request
   */
  Frontier run() throws Failure {
    int window = cluster.search().window();
    Fit all = fit("all features", start.options(), start.model(), window);
    weigh(all, window);
    fits.add(all);
    penalize(all, window);
    Fit small = eliminate(all, window);
    shrink(small);
    List<CostMeasurement.Measured> measured =
        cluster.of(fits.stream().map(f -> new CostMeasurement.Ranking(f.model, f.window)).toList());
    Fit best = best();
    List<Frontier.Point> points = new ArrayList<>();
    for (int f = 0; f < fits.size(); f++) {
      Fit fit = fits.get(f);
      PairedBootstrap toBest = fit.over(best);
      points.add(
          new Frontier.Point(
              fit.name,
              fit.tested().stream().mapToObj(data.log().names()::get).toList(),
              fit.ensemble.trees().size(),
              fit.window,
              mean(fit.ndcg),
              change(toBest),
              !toBest.isSignificantLoss(),
              measured.get(f).times()));
    }
    return new Frontier(cluster.searches(), features, points);
  }

  /** Returns the trained model that belongs to a point of the result. */
  TrainingFolder.Trained trained(Frontier.Point point) {
    Fit fit = fits.stream().filter(f -> f.name.equals(point.name())).findFirst().orElseThrow();
    return new TrainingFolder.Trained(data, start.trainer(), fit.options, fit.model);
  }

  private Fit fit(String name, BitSet kept, TrainingOptions options, int window) throws Failure {
    return fit(name, options, data.train(start.trainer(), options, kept), window);
  }

  private Fit fit(String name, TrainingOptions options, TrainedModel model, int window)
      throws Failure {
    try {
      TreeEnsemble ensemble =
          ModelReader.read(model.file(), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      double[] ndcg = ndcg(ensemble, data.heldOut(), window);
      return new Fit(name, options, model, ensemble, window, ndcg);
    } catch (InvalidModelException e) {
      throw Failure.usage(start.trainer().file() + ": " + e.getMessage());
    }
  }

  /**
   * Returns the NDCG of each query, if a model ranks a window of its hits. The other hits keep
   * their order and follow the window.
   */
  private double[] ndcg(TreeEnsemble ensemble, List<FeatureRows.Hits> hits, int window) {
    List<double[]> scores = ModelScores.of(ensemble, hits);
    for (double[] query : scores) {
      for (int hit = window; hit < query.length; hit++) {
        query[hit] = Double.NEGATIVE_INFINITY;
      }
    }
    return Comparison.of(hits, scores, Map.of(), measure).queries().stream()
        .mapToDouble(query -> query.model().ndcg())
        .toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }

  private static Frontier.Change change(PairedBootstrap difference) {
    return new Frontier.Change(difference.mean(), difference.low(), difference.high());
  }

  private Fit best() {
    return Collections.max(fits, Comparator.comparingDouble(fit -> mean(fit.ndcg)));
  }

  /**
   * Measures the cost of each feature: the time to extract it alone, and the time that is saved if
   * it is removed. The cost is the mean of both times, because features of one field share work.
   */
  private void weigh(Fit all, int window) throws Failure {
    List<Integer> tested = all.tested().stream().boxed().toList();
    List<String> names = data.log().names();
    List<Fit> without = new ArrayList<>();
    for (int f : tested) {
      BitSet others = all.tested();
      others.clear(f);
      without.add(fit("without " + names.get(f), others, start.options(), window));
    }
    List<CostMeasurement.Ranking> rankings = new ArrayList<>();
    rankings.add(new CostMeasurement.Ranking(all.model, window));
    without.forEach(fit -> rankings.add(new CostMeasurement.Ranking(fit.model, window)));
    List<CostMeasurement.Measured> measured = cluster.of(rankings);
    double together = measured.getFirst().times().extractMicros();
    for (int i = 0; i < tested.size(); i++) {
      int f = tested.get(i);
      double alone = measured.getFirst().aloneMicros().getOrDefault(names.get(f), 0.0);
      double saved = together - measured.get(i + 1).times().extractMicros();
      costs.put(f, (alone + Math.clamp(saved, 0, alone)) / 2);
      features.add(
          new Frontier.Feature(
              names.get(f),
              alone,
              saved,
              change(shuffled(all, f, data.heldOut())),
              change(without.get(i).over(all))));
    }
  }

  /** Returns the change in NDCG if the values of a feature are shuffled among all hits. */
  private PairedBootstrap shuffled(Fit fit, int feature, List<FeatureRows.Hits> hits) {
    List<Float> values = new ArrayList<>();
    hits.forEach(of -> of.values().forEach(row -> values.add(row[feature])));
    Collections.shuffle(values, new Random(SEED + feature));
    List<FeatureRows.Hits> shuffled = new ArrayList<>();
    int next = 0;
    for (FeatureRows.Hits of : hits) {
      List<float[]> rows = new ArrayList<>();
      for (float[] row : of.values()) {
        float[] changed = row.clone();
        changed[feature] = values.get(next);
        next++;
        rows.add(changed);
      }
      shuffled.add(new FeatureRows.Hits(of.query(), of.ids(), rows));
    }
    return PairedBootstrap.of(
        ndcg(fit.ensemble, shuffled, fit.window), ndcg(fit.ensemble, hits, fit.window));
  }

  /**
   * Trains models with penalties for the features' costs, if the trainer supports such penalties.
   */
  private void penalize(Fit all, int window) throws Failure {
    double gain = 0;
    long splits = 0;
    for (FeatureImportance importance : FeatureImportance.of(all.ensemble)) {
      gain += importance.totalGain();
      splits += importance.splits();
    }
    double unit = gain / Math.max(1, splits);
    double mean = costs.values().stream().mapToDouble(cost -> cost).average().orElse(0);
    if (!(unit > 0 && mean > 0)) {
      return;
    }
    List<Double> penalties =
        IntStream.range(0, data.log().names().size())
            .mapToObj(f -> unit * costs.getOrDefault(f, mean) / mean)
            .toList();
    for (double tradeoff : TRADEOFFS) {
      Map<String, String> parameters = start.trainer().costs(tradeoff, penalties);
      if (!parameters.isEmpty()) {
        TrainingOptions options = with(start.options().trees(), parameters);
        fits.add(fit("cegb_tradeoff " + tradeoff, all.tested(), options, window));
      }
    }
  }

  private TrainingOptions with(int trees, Map<String, String> more) {
    TrainingOptions given = start.options();
    Map<String, String> parameters = new LinkedHashMap<>(more);
    parameters.putAll(given.parameters());
    return new TrainingOptions(trees, given.patience(), parameters, given.categorical());
  }

  /**
   * Removes features step by step until one is left. Returns the ranking with the fewest features
   * that is not significantly worse than the best ranking.
   */
  private Fit eliminate(Fit all, int window) throws Failure {
    List<FeatureRows.Hits> judgedBy =
        data.validation().isEmpty() ? data.learning() : data.validation();
    Fit now = all;
    Fit small = all;
    while (now.tested().cardinality() > 1) {
      Fit from = now;
      BitSet kept = now.tested();
      Map<Integer, Double> losses = new HashMap<>();
      for (int f : kept.stream().toArray()) {
        double loss = Math.max(0, -shuffled(from, f, judgedBy).mean());
        losses.put(f, loss / Math.max(costs.getOrDefault(f, 0.0), Double.MIN_NORMAL));
      }
      int leave = Math.max(1, (int) (STEP * kept.cardinality()));
      kept.stream()
          .boxed()
          .sorted(Comparator.comparingDouble(f -> losses.getOrDefault(f, 0.0)))
          .limit(leave)
          .toList()
          .forEach(kept::clear);
      String name = kept.cardinality() + (kept.cardinality() == 1 ? " feature" : " features");
      now = fit(name, kept, start.options(), window);
      fits.add(now);
      if (!now.over(best()).isSignificantLoss()) {
        small = now;
      }
    }
    return small;
  }

  /** Adds rankings with fewer trees, and rankings with smaller windows. */
  private void shrink(Fit fit) throws Failure {
    for (int part : PARTS) {
      int trees = fit.ensemble.trees().size() / part;
      int window = fit.window / part;
      if (trees > 0) {
        String name = fit.name + ", " + trees + " trees";
        fits.add(fit(name, fit.tested(), with(trees, fit.options.parameters()), fit.window));
      }
      if (window > 0) {
        fits.add(fit(fit.name + ", window " + window, fit.options, fit.model, window));
      }
    }
  }
}

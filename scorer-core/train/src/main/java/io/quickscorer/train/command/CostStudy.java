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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Searches for rankings that cost less than a trained model: with fewer features, fewer trees, or a
 * smaller window (number of hits that the model ranks). Features are removed in steps: first those
 * whose removal loses the least ranking quality (NDCG) per saved microsecond.
 */
final class CostStudy {
  /** The share (0 to 1) of the remaining features that one step removes. */
  private static final double STEP = 0.2;

  /**
   * Factors by which the features' costs are multiplied, one per training. With factor 1, the mean
   * cost is equal to the mean gain of a split.
   */
  private static final List<Double> TRADEOFFS = List.of(0.2, 1.0, 5.0);

  /** Divisors that are tried for the number of trees and for the window (number of ranked hits). */
  private static final List<Integer> PARTS = List.of(2, 4);

  private static final long SEED = 17;

  private final TrainingFolder.Trained start;
  private final TrainingData data;
  private final Ndcg measure;
  private final CostMeasurement cluster;
  private final int window;
  private final List<Fit> fits = new ArrayList<>();
  private final List<Frontier.Feature> features = new ArrayList<>();

  /** Estimated time to extract each feature, in µs, by the index of the feature. */
  private final Map<Integer, Double> costs = new HashMap<>();

  /**
   * A model with a window (number of hits that the model ranks), and the quality of its rankings.
   *
   * @param ndcg the ranking quality (NDCG) of each held-out query
   */
  private record Fit(
      String name,
      TrainingOptions options,
      TrainedModel model,
      TreeEnsemble ensemble,
      int window,
      double[] ndcg) {
    BitSet tested() {
      return IntStream.range(0, ensemble.featureNames().size())
          .filter(ensemble::uses)
          .collect(BitSet::new, BitSet::set, BitSet::or);
    }

    double mean() {
      return Arrays.stream(ndcg).average().orElse(0);
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
    this.window = cluster.search().window();
  }

  /** Trains and measures all candidate rankings. Must be called only once. */
  Frontier run() throws Failure {
    Fit all = fit("all features", start.options(), start.model(), window);
    weigh(all);
    fits.add(all);
    penalize(all);
    shrink(eliminate(all));
    List<CostMeasurement.Measured> measured = measured(fits);
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
              fit.mean(),
              toBest,
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

  private Fit train(String name, BitSet kept, TrainingOptions options) throws Failure {
    return fit(name, options, data.train(start.trainer(), options, kept), window);
  }

  private Fit fit(String name, TrainingOptions options, TrainedModel model, int size)
      throws Failure {
    try {
      TreeEnsemble ensemble =
          ModelReader.read(model.file(), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      return new Fit(name, options, model, ensemble, size, ndcg(ensemble, data.heldOut(), size));
    } catch (InvalidModelException e) {
      throw Failure.usage(start.trainer().file() + ": " + e.getMessage());
    }
  }

  /**
   * Returns the ranking quality (NDCG) of each query if a model ranks only the first hits.
   *
   * @param size number of hits that the model ranks; the other hits follow in their original order
   */
  private double[] ndcg(TreeEnsemble ensemble, List<FeatureRows.Hits> hits, int size) {
    List<double[]> scores = ModelScores.of(ensemble, hits);
    for (double[] query : scores) {
      Arrays.fill(query, Math.min(size, query.length), query.length, Double.NEGATIVE_INFINITY);
    }
    return Comparison.of(hits, scores, Map.of(), measure).queries().stream()
        .mapToDouble(query -> query.model().ndcg())
        .toArray();
  }

  private List<CostMeasurement.Measured> measured(List<Fit> some) throws Failure {
    return cluster.of(
        some.stream().map(fit -> new CostMeasurement.Ranking(fit.model, fit.window)).toList());
  }

  private Fit best() {
    return Collections.max(fits, Comparator.comparingDouble(Fit::mean));
  }

  /**
   * Measures, for each feature, the time to extract only this feature, and the time that a search
   * without the feature saves. The cost of the feature is the mean of both times.
   */
  private void weigh(Fit all) throws Failure {
    List<String> names = data.log().names();
    int[] tested = all.tested().stream().toArray();
    List<Fit> models = new ArrayList<>(List.of(all));
    for (int f : tested) {
      BitSet others = all.tested();
      others.clear(f);
      models.add(train("without " + names.get(f), others, start.options()));
    }
    List<CostMeasurement.Measured> measured = measured(models);
    CostMeasurement.Measured together = measured.getFirst();
    for (int i = 0; i < tested.length; i++) {
      String name = names.get(tested[i]);
      double alone = together.aloneMicros().getOrDefault(name, 0.0);
      double saved = together.times().extractMicros() - measured.get(i + 1).times().extractMicros();
      costs.put(tested[i], (alone + Math.clamp(saved, 0, alone)) / 2);
      PairedBootstrap permuted = shuffled(all, tested[i], data.heldOut());
      PairedBootstrap without = models.get(i + 1).over(all);
      features.add(new Frontier.Feature(name, alone, saved, permuted, without));
    }
  }

  /** Returns the change in NDCG (quality) if a feature's values are shuffled over all hits. */
  private PairedBootstrap shuffled(Fit fit, int feature, List<FeatureRows.Hits> hits) {
    List<Float> values = new ArrayList<>();
    hits.forEach(of -> of.values().forEach(row -> values.add(row[feature])));
    Collections.shuffle(values, new Random(SEED + feature));
    List<FeatureRows.Hits> shuffled = new ArrayList<>();
    Iterator<Float> next = values.iterator();
    for (FeatureRows.Hits of : hits) {
      List<float[]> rows = of.values().stream().map(float[]::clone).toList();
      rows.forEach(row -> row[feature] = next.next());
      shuffled.add(new FeatureRows.Hits(of.query(), of.ids(), rows));
    }
    return PairedBootstrap.of(
        ndcg(fit.ensemble, shuffled, fit.window), ndcg(fit.ensemble, hits, fit.window));
  }

  /** Trains models with penalties for expensive features, if the trainer supports penalties. */
  private void penalize(Fit all) throws Failure {
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
        fits.add(train("cegb_tradeoff " + tradeoff, all.tested(), options));
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
   * Removes some features, trains again, and repeats this until one feature is left. Returns the
   * last model that is not significantly worse than the best one.
   */
  private Fit eliminate(Fit all) throws Failure {
    List<FeatureRows.Hits> judgedBy =
        data.validation().isEmpty() ? data.learning() : data.validation();
    Fit now = all;
    Fit small = all;
    while (now.tested().cardinality() > 1) {
      Fit from = now;
      BitSet kept = now.tested();
      Map<Integer, Double> losses = new LinkedHashMap<>();
      kept.stream()
          .forEach(
              f -> {
                double loss = Math.max(0, -shuffled(from, f, judgedBy).mean());
                losses.put(f, loss / Math.max(costs.getOrDefault(f, 0.0), Double.MIN_NORMAL));
              });
      losses.entrySet().stream()
          .sorted(Map.Entry.comparingByValue())
          .limit(Math.max(1, (int) (STEP * kept.cardinality())))
          .forEach(feature -> kept.clear(feature.getKey()));
      String name = kept.cardinality() + (kept.cardinality() == 1 ? " feature" : " features");
      now = train(name, kept, start.options());
      fits.add(now);
      if (!now.over(best()).isSignificantLoss()) {
        small = now;
      }
    }
    return small;
  }

  /** Adds candidates with fewer trees, and candidates with a smaller window (ranked hits). */
  private void shrink(Fit fit) throws Failure {
    for (int part : PARTS) {
      int trees = fit.ensemble.trees().size() / part;
      int size = fit.window / part;
      if (trees > 0) {
        TrainingOptions options = with(trees, fit.options.parameters());
        fits.add(train(fit.name + ", " + trees + " trees", fit.tested(), options));
      }
      if (size > 0) {
        fits.add(fit(fit.name + ", window " + size, fit.options, fit.model, size));
      }
    }
  }
}

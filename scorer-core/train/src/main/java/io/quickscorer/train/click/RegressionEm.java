// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.train.click.Exposures.Counts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Estimates the attention to positions if each document was always shown at one position (Wang,
 * Golbandi, Bendersky, Metzler and Najork, "Position Bias Estimation for Unbiased Learning to Rank
 * in Personal Search", WSDM 2018). Users click if they look at the position and the document is
 * relevant. The log-odds of relevance are a sum of one term per logged feature; the term is
 * constant in each interval of the feature's values. The method assumes that users look at the
 * first position in each search.
 *
 * @param groups the shown documents, in groups from which the bootstrap draws
 */
record RegressionEm(List<List<Document>> groups) {
  /** Number of intervals into which the values of a feature are divided. */
  private static final int BINS = 16;

  private static final int MAX_ROUNDS = 5_000;

  /** Maximum relative difference between the estimates of two fits for the same position. */
  private static final double AGREEMENT = 0.05;

  /** Minimum part (0 to 1) of the variance in relevance that the features must explain. */
  private static final double MIN_EXPLAINED = 0.75;

  /**
   * A shown document.
   *
   * @param places how often the document was shown and clicked, at each of its positions
   * @param bins for each feature that varies, the index of the interval that contains its value
   */
  private record Document(List<Counts> places, int[] bins) {
    double logOdds(double[][] terms) {
      return IntStream.range(0, bins.length).mapToDouble(f -> terms[f][bins[f]]).sum();
    }
  }

  /**
   * The model that is fitted.
   *
   * @param looks the probability that users look at each position, relative to the first one
   * @param terms for each feature and each interval of its values, the number that is added to the
   *     log-odds of relevance
   */
  private record Model(double[] looks, double[][] terms) {}

  /**
   * The result of an estimation.
   *
   * @param bias the estimate
   * @param reason a description of the data, or why there is no estimate
   */
  record Estimate(PositionBias bias, String reason) {}

  /**
   * Estimates the attention to each position from the shown documents that have feature values.
   *
   * @param positions the number of positions
   * @param features the feature values by query and document
   */
  static Estimate of(Exposures exposures, int positions, Map<Exposures.Pair, float[]> features) {
    Map<Exposures.Pair, List<Counts>> shown = new LinkedHashMap<>(exposures.pairs());
    shown.keySet().retainAll(features.keySet());
    int[][] bins = bins(shown.keySet().stream().map(features::get).toList());
    if (bins.length == 0 || bins[0].length == 0) {
      return new Estimate(
          PositionBias.unknown(positions),
          bins.length == 0
              ? "no shown document has logged features"
              : "no feature differs among the " + bins.length + " documents with logged features");
    }
    Map<String, List<Document>> byQuery = new LinkedHashMap<>();
    double[] clicks = new double[positions];
    int next = 0;
    for (Map.Entry<Exposures.Pair, List<Counts>> pair : shown.entrySet()) {
      byQuery
          .computeIfAbsent(pair.getKey().query(), query -> new ArrayList<>())
          .add(new Document(pair.getValue(), bins[next++]));
      pair.getValue().forEach(at -> clicks[at.position() - 1] += at.clicked());
    }
    Estimate estimate =
        new RegressionEm(PositionBias.groups(byQuery)).estimate(clicks, bins[0].length);
    String data = estimate.bias.isUnknown() ? "" : Exposures.data(shown.values()) + "; ";
    return new Estimate(estimate.bias, data + estimate.reason);
  }

  private Estimate estimate(double[] clicks, int features) {
    int positions = clicks.length;
    double[] weights = PositionBias.ones(groups.size());
    double[][] terms = new double[features][BINS];
    Model model = fit(weights, new Model(start(positions, 0.3), terms), PositionBias.PRECISION);
    double[] other =
        fit(weights, new Model(start(positions, 2), terms), PositionBias.PRECISION).looks;
    double explained = explained(model);
    boolean[] known = new boolean[positions];
    for (int p = 0; p < positions; p++) {
      double ratio = other[p] / model.looks[p];
      known[p] =
          Math.min(clicks[0], clicks[p]) >= PositionBias.MIN_CLICKS
              && explained >= MIN_EXPLAINED
              && Math.max(ratio, 1 / ratio) <= 1 + AGREEMENT;
    }
    PositionBias bias =
        PositionBias.bootstrap(
            groups.size(),
            known,
            model.looks,
            drawn -> fit(drawn, model, PositionBias.DRAW_PRECISION).looks);
    String data =
        String.format(
            Locale.ROOT,
            "%d features explain %.0f %% of the documents' differences in relevance",
            features,
            Math.clamp(100 * explained, 0, 100));
    return new Estimate(
        bias,
        explained < MIN_EXPLAINED
            ? data + ", expected " + Math.round(100 * MIN_EXPLAINED) + " % or more"
            : bias.isUnknown()
                ? "the features determine the positions, or too few clicks are recorded"
                : data);
  }

  private static double[] start(int positions, double eta) {
    return IntStream.rangeClosed(1, positions).mapToDouble(k -> Math.pow(k, -eta)).toArray();
  }

  /**
   * Returns, for each row and feature, the index of the interval that contains the value. Leaves
   * out features that have the same value in all rows.
   */
  private static int[][] bins(List<float[]> rows) {
    int[][] bins = new int[rows.size()][];
    Arrays.setAll(bins, row -> new int[0]);
    for (int f = 0; f < (rows.isEmpty() ? 0 : rows.getFirst().length); f++) {
      int feature = f;
      List<Float> values = rows.stream().map(row -> row[feature]).distinct().sorted().toList();
      for (int row = 0; row < bins.length && values.size() > 1; row++) {
        long rank = Collections.binarySearch(values, rows.get(row)[f]);
        bins[row] = Arrays.copyOf(bins[row], bins[row].length + 1);
        bins[row][bins[row].length - 1] = (int) (rank * BINS / values.size());
      }
    }
    return bins;
  }

  /**
   * Returns the fitted model. Computes the expected looks and relevance from the model, and then a
   * new model from the looks and relevance. Repeats this until the model changes by at most {@code
   * precision}.
   */
  private Model fit(double[] weights, Model start, double precision) {
    double[] looks = start.looks.clone();
    double[][] terms = Arrays.stream(start.terms).map(double[]::clone).toArray(double[][]::new);
    double[] logOdds =
        groups.stream()
            .flatMap(List::stream)
            .mapToDouble(document -> document.logOdds(terms))
            .toArray();
    double[] steps = new double[BINS];
    double change = 0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      int f = round % terms.length;
      int last = Math.floorMod(round - 1, terms.length);
      int d = 0;
      double[] looked = new double[looks.length];
      double[] shown = new double[looks.length];
      double[] gradient = new double[BINS];
      double[] curvature = new double[BINS];
      Arrays.fill(curvature, 1);
      for (int g = 0; g < weights.length; g++) {
        for (Document document : groups.get(g)) {
          logOdds[d] += steps[document.bins[last]];
          double relevance = relevance(logOdds[d++]);
          for (Counts at : document.places) {
            int p = at.position() - 1;
            double times = weights[g] * at.shown();
            double clicked = weights[g] * at.clicked();
            double missed = (times - clicked) / Math.max(1e-9, 1 - looks[p] * relevance);
            shown[p] += times;
            looked[p] += clicked + missed * looks[p] * (1 - relevance);
            gradient[document.bins[f]] +=
                clicked + missed * relevance * (1 - looks[p]) - times * relevance;
            curvature[document.bins[f]] += times * relevance * (1 - relevance);
          }
        }
      }
      for (int b = 0; b < BINS; b++) {
        steps[b] = Math.clamp(gradient[b] / curvature[b], -1, 1);
        terms[f][b] += steps[b];
      }
      for (int p = 1; p < looks.length; p++) {
        double look = shown[p] > 0 ? looked[p] / shown[p] : looks[p];
        change = Math.max(change, Math.abs(look - looks[p]) / Math.max(look, 1e-3));
        looks[p] = look;
      }
      if (f == terms.length - 1 && round > 2 * terms.length) {
        if (change < precision) {
          break;
        }
        change = 0;
      }
    }
    return new Model(looks, terms);
  }

  private static double relevance(double logOdds) {
    return 1 / (1 + Math.exp(-logOdds));
  }

  /** Returns the part (0 to 1) of the variance in relevance that the model explains. */
  private double explained(Model model) {
    List<Document> documents = groups.stream().flatMap(List::stream).toList();
    double[] looks = documents.stream().mapToDouble(document -> looks(document, model)).toArray();
    double clicks = documents.stream().mapToDouble(d -> Exposures.clicked(d.places)).sum();
    double mean = clicks / Arrays.stream(looks).sum();
    double within = 0;
    double all = 0;
    for (int d = 0; d < looks.length; d++) {
      double clicked = Exposures.clicked(documents.get(d).places);
      double expected = looks[d] * relevance(documents.get(d).logOdds(model.terms));
      within += Math.pow(clicked - expected, 2) - expected;
      all += Math.pow(clicked - looks[d] * mean, 2) - looks[d] * mean;
    }
    return all <= 0 ? 1 : 1 - within / all;
  }

  private static double looks(Document document, Model model) {
    return document.places.stream()
        .mapToDouble(at -> at.shown() * model.looks[at.position() - 1])
        .sum();
  }
}

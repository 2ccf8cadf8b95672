// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * The probability that users look at each position, relative to the first position. It is estimated
 * from documents that were shown at several positions for the same query: such a document is
 * equally relevant at each of them, so different click rates are due to the positions (Agarwal,
 * Zaitsev, Wang, Li, Najork and Joachims, "Estimating Position Bias without Intrusive
 * Interventions", WSDM 2019).
 *
 * <p>The estimate solves the equations of a Poisson regression with a factor per position and a
 * factor per query and document. The estimate is consistent for any distribution of the clicks
 * whose mean is the product of both factors, also with many documents with few clicks each
 * (Hausman, Hall and Griliches, Econometrica 52, 1984; Wooldridge, Journal of Econometrics 90,
 * 1999). Two effects are not corrected: users click on bad documents at high positions because they
 * trust the ranking, and documents that were never shown get no clicks.
 *
 * @param factors the factors of the positions from 1; the first is 1; NaN if a factor cannot be
 *     estimated
 * @param low the lower ends of the factors' 95 % bootstrap intervals
 * @param high the upper ends of these intervals
 */
record PositionBias(double[] factors, double[] low, double[] high) {
  private static final int MAX_ROUNDS = 1_000;

  /** The fit of the factors ends if one round changes each factor by less than this share. */
  static final double PRECISION = 1e-6;

  /** A fit for a bootstrap draw ends if one round changes each factor by less than this share. */
  static final double DRAW_PRECISION = 1e-4;

  private static final int DRAWS = 100;
  private static final int MIN_QUERIES = 10;
  private static final long SEED = 17;

  /**
   * Two positions are compared only if each has at least this many clicks on documents that were
   * shown at both.
   */
  static final double MIN_CLICKS = 10;

  /**
   * Estimates the factors of the positions.
   *
   * @param positions number of positions
   */
  static PositionBias of(Exposures exposures, int positions) {
    Map<String, List<Exposures.Counts>> byQuery = new LinkedHashMap<>();
    exposures
        .pairs()
        .forEach(
            (pair, counts) -> {
              if (counts.size() > 1 && counts.clicked() > 0) {
                byQuery.computeIfAbsent(pair.query(), query -> new ArrayList<>()).add(counts);
              }
            });
    List<List<Exposures.Counts>> queries = groups(byQuery);
    double[] weights = new double[queries.size()];
    Arrays.fill(weights, 1);
    double[] start = new double[positions];
    Arrays.fill(start, 1);
    double[] factors = fit(queries, weights, start, PRECISION);
    return bootstrap(
        queries.size(),
        connected(queries, positions),
        factors,
        drawn -> fit(queries, drawn, factors, DRAW_PRECISION));
  }

  /**
   * Returns the groups to draw: the documents of each query. With few queries, draws of queries
   * would be too similar to each other, so each document is a group.
   */
  static <T> List<List<T>> groups(Map<String, List<T>> byQuery) {
    return byQuery.size() >= MIN_QUERIES
        ? List.copyOf(byQuery.values())
        : byQuery.values().stream().flatMap(List::stream).map(List::of).toList();
  }

  /**
   * Returns factors with their bootstrap intervals.
   *
   * @param known whether the factor of each position can be estimated
   * @param fit computes the factors from the number of times that each group was drawn
   */
  static PositionBias bootstrap(
      int groups, boolean[] known, double[] factors, UnaryOperator<double[]> fit) {
    int positions = factors.length;
    double[][] draws = new double[positions][DRAWS];
    SplittableRandom random = new SplittableRandom(SEED);
    for (int draw = 0; draw < DRAWS && groups > 0; draw++) {
      double[] weights = new double[groups];
      for (int i = 0; i < groups; i++) {
        weights[random.nextInt(groups)]++;
      }
      double[] drawn = fit.apply(weights);
      for (int p = 0; p < positions; p++) {
        draws[p][draw] = drawn[p];
      }
    }
    PositionBias bias = unknown(positions);
    for (int p = 1; p < positions; p++) {
      if (known[p]) {
        Arrays.sort(draws[p]);
        bias.factors[p] = factors[p];
        bias.low[p] = draws[p][DRAWS * 25 / 1_000];
        bias.high[p] = draws[p][DRAWS * 975 / 1_000];
      }
    }
    return bias;
  }

  /** Returns an estimate of the first position only. */
  static PositionBias unknown(int positions) {
    double[] factors = new double[positions];
    Arrays.fill(factors, Double.NaN);
    factors[0] = 1;
    return new PositionBias(factors, factors.clone(), factors.clone());
  }

  /** Returns whether no position except the first one has an estimate. */
  boolean isUnknown() {
    return Arrays.stream(factors).skip(1).allMatch(Double::isNaN);
  }

  /**
   * Returns the factor of a position; NaN if it cannot be estimated.
   *
   * @param position the position, from 1
   */
  double factor(int position) {
    return position <= factors.length ? factors[position - 1] : Double.NaN;
  }

  /**
   * Returns, for each position, whether it can be compared with the first one: directly, or through
   * other positions.
   */
  private static boolean[] connected(List<List<Exposures.Counts>> queries, int positions) {
    double[][] clicks = new double[positions][positions];
    for (List<Exposures.Counts> documents : queries) {
      for (Exposures.Counts counts : documents) {
        for (int a = 0; a < counts.size(); a++) {
          for (int b = 0; b < counts.size(); b++) {
            clicks[counts.position(a) - 1][counts.position(b) - 1] += counts.clicked(a);
          }
        }
      }
    }
    boolean[] connected = new boolean[positions];
    List<Integer> pending = new ArrayList<>(List.of(0));
    connected[0] = true;
    while (!pending.isEmpty()) {
      int from = pending.removeLast();
      for (int to = 0; to < positions; to++) {
        if (!connected[to] && Math.min(clicks[from][to], clicks[to][from]) >= MIN_CLICKS) {
          connected[to] = true;
          pending.add(to);
        }
      }
    }
    return connected;
  }

  /**
   * Fits the factors of all positions: computes the documents' factors from those of the positions,
   * then the positions' factors from those of the documents, and so on.
   */
  private static double[] fit(
      List<List<Exposures.Counts>> queries, double[] weights, double[] start, double precision) {
    double[] factors = start.clone();
    for (int round = 0; round < MAX_ROUNDS; round++) {
      double[] clicked = new double[factors.length];
      double[] expected = new double[factors.length];
      for (int q = 0; q < weights.length; q++) {
        if (weights[q] > 0) {
          for (Exposures.Counts counts : queries.get(q)) {
            double examined = 0;
            for (int e = 0; e < counts.size(); e++) {
              examined += counts.shown(e) * factors[counts.position(e) - 1];
            }
            double worth = counts.clicked() / Math.max(examined, Double.MIN_NORMAL);
            for (int e = 0; e < counts.size(); e++) {
              int p = counts.position(e) - 1;
              clicked[p] += weights[q] * counts.clicked(e);
              expected[p] += weights[q] * counts.shown(e) * worth;
            }
          }
        }
      }
      double change = 0;
      double first = expected[0] > 0 && clicked[0] > 0 ? clicked[0] / expected[0] : 1;
      for (int p = 0; p < factors.length; p++) {
        double factor = expected[p] > 0 ? clicked[p] / expected[p] / first : factors[p];
        change = Math.max(change, Math.abs(factor - factors[p]) / Math.max(factor, 1e-3));
        factors[p] = factor;
      }
      if (change < precision) {
        break;
      }
    }
    return factors;
  }
}

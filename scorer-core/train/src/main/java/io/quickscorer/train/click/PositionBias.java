// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.train.click.Exposures.Counts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * The probability that users look at each position of a result list, relative to the first
 * position. It is estimated from documents that were shown at several positions for one query. A
 * document's relevance is the same at each position, so its click rates differ only because of the
 * positions (Agarwal, Zaitsev, Wang, Li, Najork and Joachims, "Estimating Position Bias without
 * Intrusive Interventions", WSDM 2019).
 *
 * <p>The estimate is a Poisson regression with a factor per position and a factor per query and
 * document (Hausman, Hall and Griliches, Econometrica 52, 1984; Wooldridge, Journal of Econometrics
 * 90, 1999). It does not correct for users' trust in the ranking, nor for documents that were never
 * shown.
 *
 * @param factors the relative probability of each position from 1; NaN if it cannot be estimated
 * @param low the lower ends of the factors' 95 % bootstrap intervals
 * @param high the upper ends of the factors' 95 % bootstrap intervals
 */
record PositionBias(double[] factors, double[] low, double[] high) {
  private static final int MAX_ROUNDS = 1_000;

  /** A fit ends when no factor changes by more than this share of its value in a round. */
  static final double PRECISION = 1e-6;

  static final double DRAW_PRECISION = 1e-4;

  private static final int DRAWS = 100;
  private static final int MIN_QUERIES = 10;
  private static final long SEED = 17;

  /** Minimum number of clicks at each of two positions that are compared. */
  static final double MIN_CLICKS = 10;

  /** Estimates the probability that users look at each position, relative to the first one. */
  static PositionBias of(Exposures exposures, int positions) {
    Map<String, List<List<Counts>>> byQuery = new LinkedHashMap<>();
    exposures
        .pairs()
        .forEach(
            (pair, places) -> {
              if (places.size() > 1 && Exposures.clicked(places) > 0) {
                byQuery.computeIfAbsent(pair.query(), query -> new ArrayList<>()).add(places);
              }
            });
    List<List<List<Counts>>> queries = groups(byQuery);
    double[] factors = fit(queries, ones(queries.size()), ones(positions), PRECISION);
    return bootstrap(
        queries.size(),
        connected(queries, positions),
        factors,
        drawn -> fit(queries, drawn, factors, DRAW_PRECISION));
  }

  static double[] ones(int size) {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }

  /**
   * Returns the groups of documents from which the bootstrap draws: one group per query or, if
   * there are few queries, one group per document.
   */
  static <T> List<List<T>> groups(Map<String, List<T>> byQuery) {
    return byQuery.size() >= MIN_QUERIES
        ? List.copyOf(byQuery.values())
        : byQuery.values().stream().flatMap(List::stream).map(List::of).toList();
  }

  /**
   * Returns the estimate with its bootstrap intervals.
   *
   * @param groups the number of groups of documents, from which the samples are drawn
   * @param known for each position, whether it has an estimate
   * @param factors the estimates
   * @param fit computes the factors for a sample; its argument is how often each group was drawn
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

  /**
   * Returns an estimate without data: the relative probability of a look is 1 for the first
   * position, and NaN (unknown) for all others.
   */
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

  /** Returns the factor (relative probability of a look) of a position from 1; NaN if unknown. */
  double factor(int position) {
    return position <= factors.length ? factors[position - 1] : Double.NaN;
  }

  /**
   * Returns, for each position, whether its clicks can be compared with those of the first
   * position, directly or through other positions.
   */
  private static boolean[] connected(List<List<List<Counts>>> queries, int positions) {
    double[][] clicks = new double[positions][positions];
    for (List<Counts> places : queries.stream().flatMap(List::stream).toList()) {
      for (Counts a : places) {
        for (Counts b : places) {
          clicks[a.position() - 1][b.position() - 1] += a.clicked();
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
   * Returns each position's factor: the relative probability that users look there. Computes the
   * documents' factors from the positions' factors, then the positions' factors from the documents'
   * factors. Repeats this until no position's factor changes by {@code precision} (relative) or
   * more, at most {@link #MAX_ROUNDS} times.
   */
  private static double[] fit(
      List<List<List<Counts>>> queries, double[] weights, double[] start, double precision) {
    double[] factors = start.clone();
    double change = Double.MAX_VALUE;
    for (int round = 0; round < MAX_ROUNDS && change >= precision; round++) {
      double[] clicked = new double[factors.length];
      double[] expected = new double[factors.length];
      for (int q = 0; q < weights.length; q++) {
        for (List<Counts> places : weights[q] > 0 ? queries.get(q) : List.<List<Counts>>of()) {
          double clicks = 0;
          double examined = 0;
          for (Counts at : places) {
            clicks += at.clicked();
            examined += at.shown() * factors[at.position() - 1];
          }
          double worth = clicks / Math.max(examined, Double.MIN_NORMAL);
          for (Counts at : places) {
            clicked[at.position() - 1] += weights[q] * at.clicked();
            expected[at.position() - 1] += weights[q] * at.shown() * worth;
          }
        }
      }
      change = 0;
      double first = expected[0] > 0 && clicked[0] > 0 ? clicked[0] / expected[0] : 1;
      for (int p = 0; p < factors.length; p++) {
        double factor = expected[p] > 0 ? clicked[p] / expected[p] / first : factors[p];
        change = Math.max(change, Math.abs(factor - factors[p]) / Math.max(factor, 1e-3));
        factors[p] = factor;
      }
    }
    return factors;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The grades of documents for queries, computed from clicks.
 *
 * @param judged the grades, sorted by query, the best documents of a query first
 * @param leftOut number of pairs of query and document without a grade: users looked at them too
 *     rarely, or only at positions without an estimate
 */
record ClickJudgments(List<Judged> judged, long leftOut) {
  static final int MAX_GRADE = 4;

  /**
   * Number of additional looks, with the mean relevance, that are added to each document's looks,
   * so that a document with few looks gets no extreme relevance.
   */
  private static final double PRIOR_LOOKS = 5;

  /**
   * The quantile, among the relevances above the mean, whose value is treated as the best
   * relevance.
   */
  private static final double REFERENCE = 0.95;

  /**
   * The grade of a document for a query.
   *
   * @param looks expected number of looks at the document
   * @param relevance clicks per look, above 0
   * @param grade 0 to {@value #MAX_GRADE}
   */
  record Judged(Exposures.Pair pair, double looks, double relevance, int grade) {}

  /**
   * Computes the grades of all documents for their queries.
   *
   * @param bias the attention to positions, for {@link Estimator#UNBIASED}
   * @param minLooks documents with a smaller expected number of looks get no grade
   */
  static ClickJudgments of(
      Exposures exposures, Estimator estimator, PositionBias bias, double minLooks) {
    double[] looks = looks(exposures, estimator, bias);
    double allClicks = 0;
    double allLooks = 0;
    List<Judged> raw = new ArrayList<>();
    for (Map.Entry<Exposures.Pair, Exposures.Counts> pair : exposures.pairs().entrySet()) {
      Exposures.Counts counts = pair.getValue();
      double clicked = 0;
      double looked = 0;
      for (int e = 0; e < counts.size(); e++) {
        double factor = looks[counts.position(e) - 1];
        if (!Double.isNaN(factor)) {
          clicked += counts.clicked(e);
          looked += counts.shown(e) * factor;
        }
      }
      allClicks += clicked;
      allLooks += looked;
      raw.add(new Judged(pair.getKey(), looked, clicked, 0));
    }
    double mean = allLooks == 0 ? 0 : allClicks / allLooks;
    List<Judged> judged = new ArrayList<>();
    for (Judged one : raw) {
      if (one.looks >= minLooks) {
        double relevance = (one.relevance + PRIOR_LOOKS * mean) / (one.looks + PRIOR_LOOKS);
        judged.add(new Judged(one.pair, one.looks, relevance, 0));
      }
    }
    double[] sorted =
        judged.stream()
            .mapToDouble(Judged::relevance)
            .filter(relevance -> relevance > mean)
            .sorted()
            .toArray();
    double best = sorted.length == 0 ? 1 : sorted[(int) (REFERENCE * (sorted.length - 1))];
    judged.replaceAll(
        one -> new Judged(one.pair, one.looks, one.relevance, grade(one.relevance, best)));
    judged.sort(
        Comparator.comparing((Judged one) -> one.pair.query())
            .thenComparingDouble(one -> -one.relevance));
    return new ClickJudgments(List.copyOf(judged), (long) raw.size() - judged.size());
  }

  /**
   * Returns the grade for a relevance. The range from 0 to {@code best} is divided into five equal
   * parts, which have the grades 0 to {@value #MAX_GRADE}.
   *
   * @param best the relevance that gets the highest grade
   */
  static int grade(double relevance, double best) {
    return (int) Math.min(MAX_GRADE, (MAX_GRADE + 1) * relevance / best);
  }

  private static double[] looks(Exposures exposures, Estimator estimator, PositionBias bias) {
    if (estimator == Estimator.UNBIASED) {
      return bias.factors();
    }
    double[] looks = new double[bias.factors().length];
    Arrays.fill(looks, 1);
    if (estimator == Estimator.COEC) {
      double[] shown = new double[looks.length];
      double[] clicked = new double[looks.length];
      for (Exposures.Counts counts : exposures.pairs().values()) {
        for (int e = 0; e < counts.size(); e++) {
          shown[counts.position(e) - 1] += counts.shown(e);
          clicked[counts.position(e) - 1] += counts.clicked(e);
        }
      }
      double max = 0;
      for (int p = 0; p < looks.length; p++) {
        looks[p] = clicked[p] == 0 ? Double.NaN : clicked[p] / shown[p];
        max = clicked[p] == 0 ? max : Math.max(max, looks[p]);
      }
      for (int p = 0; p < looks.length; p++) {
        looks[p] /= max;
      }
    }
    return looks;
  }
}

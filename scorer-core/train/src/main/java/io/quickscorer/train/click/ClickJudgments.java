// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.train.click.Exposures.Counts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The grades of documents for queries, computed from clicks.
 *
 * @param judged the grades, sorted by query; the best documents of each query are first
 * @param leftOut number of pairs of query and document that got no grade
 */
record ClickJudgments(List<Judged> judged, long leftOut) {
  static final int MAX_GRADE = 4;

  /**
   * Each document gets this many additional looks with average clicks, so that a document with few
   * looks does not get an extreme grade.
   */
  private static final double PRIOR_LOOKS = 5;

  /**
   * The best relevance is this quantile of all relevances that are above the mean; the mean itself
   * if there are none. So if all relevances are equal, rounding does not determine the grades.
   */
  private static final double REFERENCE = 0.95;

  /**
   * The result for one document and query.
   *
   * @param looks the expected number of users that looked at the document
   * @param relevance the clicks per look
   * @param grade the grade, 0 or more
   */
  record Judged(Exposures.Pair pair, double looks, double relevance, int grade) {}

  private record Looked(Exposures.Pair pair, double looks, double clicks) {}

  /**
   * Computes the grades of documents. A document gets a grade only if, by estimate, {@code
   * minLooks} users or more have looked at it.
   */
  static ClickJudgments of(
      Exposures exposures, ClickJudge.Estimator estimator, PositionBias bias, double minLooks) {
    double[] factors =
        switch (estimator) {
          case NAIVE -> PositionBias.ones(bias.factors().length);
          case COEC -> clickRates(exposures, bias.factors().length);
          case UNBIASED -> bias.factors();
        };
    double allClicks = 0;
    double allLooks = 0;
    List<Looked> documents = new ArrayList<>();
    for (Map.Entry<Exposures.Pair, List<Counts>> pair : exposures.pairs().entrySet()) {
      double clicks = 0;
      double looks = 0;
      for (Counts at : pair.getValue()) {
        double factor = factors[at.position() - 1];
        if (!Double.isNaN(factor)) {
          clicks += at.clicked();
          looks += at.shown() * factor;
        }
      }
      allClicks += clicks;
      allLooks += looks;
      documents.add(new Looked(pair.getKey(), looks, clicks));
    }
    double mean = allLooks == 0 ? 0 : allClicks / allLooks;
    documents.removeIf(document -> document.looks < minLooks);
    double[] relevances =
        documents.stream()
            .mapToDouble(d -> (d.clicks + PRIOR_LOOKS * mean) / (d.looks + PRIOR_LOOKS))
            .toArray();
    double[] good = Arrays.stream(relevances).filter(one -> one > mean).sorted().toArray();
    double best = good.length == 0 ? mean : good[(int) (REFERENCE * (good.length - 1))];
    List<Judged> judged = new ArrayList<>();
    for (int d = 0; d < relevances.length; d++) {
      Looked of = documents.get(d);
      judged.add(new Judged(of.pair, of.looks, relevances[d], grade(relevances[d], best)));
    }
    judged.sort(
        Comparator.comparing((Judged one) -> one.pair.query())
            .thenComparingDouble(one -> -one.relevance));
    return new ClickJudgments(judged, (long) exposures.pairs().size() - judged.size());
  }

  /**
   * Returns the grade for a relevance. The range from 0 to {@code best} is divided into equal
   * parts, one per grade; higher relevances get the highest grade.
   */
  static int grade(double relevance, double best) {
    return (int) Math.min(MAX_GRADE, (MAX_GRADE + 1) * relevance / best);
  }

  /**
   * Returns each position's click rate (clicks per impression) divided by the highest click rate of
   * all positions; NaN for positions without clicks.
   */
  private static double[] clickRates(Exposures exposures, int positions) {
    double[] shown = new double[positions];
    double[] clicked = new double[positions];
    for (List<Counts> places : exposures.pairs().values()) {
      for (Counts at : places) {
        shown[at.position() - 1] += at.shown();
        clicked[at.position() - 1] += at.clicked();
      }
    }
    double[] rates = new double[positions];
    Arrays.setAll(rates, p -> clicked[p] == 0 ? Double.NaN : clicked[p] / shown[p]);
    double max = Arrays.stream(rates).filter(rate -> rate > 0).max().orElse(0);
    return Arrays.stream(rates).map(rate -> rate / max).toArray();
  }
}

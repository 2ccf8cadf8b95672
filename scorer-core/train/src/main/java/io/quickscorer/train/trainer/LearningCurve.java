// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.util.List;

/**
 * The values of a quality measure on the validation rows after each tree of a training.
 *
 * @param measure the trainer's name of the measure
 * @param largerIsBetter whether a larger value is better
 * @param values the value after each tree; empty without validation
 */
public record LearningCurve(String measure, boolean largerIsBetter, List<Double> values) {
  /** The curve of a training without validation. */
  public static final LearningCurve NONE = new LearningCurve("", true, List.of());

  public LearningCurve {
    values = List.copyOf(values);
  }

  /** Returns the index of the best value; if several values are equally good, of the first one. */
  static int best(List<Double> values, boolean largerIsBetter) {
    int best = 0;
    for (int i = 1; i < values.size(); i++) {
      if (isBetter(values.get(i), values.get(best), largerIsBetter)) {
        best = i;
      }
    }
    return best;
  }

  private static boolean isBetter(double value, double other, boolean largerIsBetter) {
    return largerIsBetter ? value > other : value < other;
  }

  /** Returns the number of trees after which the measure has its best value. */
  int bestTrees() {
    return best(values, largerIsBetter) + 1;
  }

  /**
   * Returns whether the best value of this curve is better than the best value of another curve,
   * which must have the same measure.
   */
  public boolean isBetterThan(LearningCurve other) {
    return !values.isEmpty()
        && !other.values.isEmpty()
        && isBetter(
            values.get(bestTrees() - 1), other.values.get(other.bestTrees() - 1), largerIsBetter);
  }
}

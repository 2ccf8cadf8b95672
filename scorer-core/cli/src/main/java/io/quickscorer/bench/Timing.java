// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import java.util.Arrays;

/**
 * The measured times of one contender.
 *
 * @param turns for each round, in order, the time per document in ns
 * @param allocatedPerDocument heap memory allocated per document, in bytes
 */
public record Timing(double[] turns, double allocatedPerDocument) {
  public double median() {
    return quantile(turns, 0.5);
  }

  /** Returns a quantile of the rounds' times per document, in ns; {@code share} is from 0 to 1. */
  public double quantile(double share) {
    return quantile(turns, share);
  }

  /** Returns the median, over all rounds, of this contender's time divided by the other's time. */
  public double over(Timing other) {
    double[] ratios = new double[turns.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = turns[i] / other.turns[i];
    }
    return quantile(ratios, 0.5);
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}

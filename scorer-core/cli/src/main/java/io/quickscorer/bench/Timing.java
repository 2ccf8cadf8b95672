// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import java.util.Arrays;

/**
 * The measurement of one contender.
 *
 * @param turns nanoseconds per document of each round, in their order
 * @param allocatedPerDocument bytes allocated on the heap per document
 */
public record Timing(double[] turns, double allocatedPerDocument) {
  public double median() {
    return quantile(turns, 0.5);
  }

  /** The turn that so large a share of the turns, of 0 to 1, does not exceed. */
  public double quantile(double share) {
    return quantile(turns, share);
  }

  /**
   * How many times as long this one takes as another that was timed in the same rounds: the median
   * of the rounds' ratios, so that a machine that changes its speed meanwhile does not matter.
   */
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

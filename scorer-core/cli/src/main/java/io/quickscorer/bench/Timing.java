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

  /**
   * Returns a quantile of the turns.
   *
   * @param share 0 to 1
   */
  public double quantile(double share) {
    return quantile(turns, share);
  }

  /**
   * Returns this time divided by that of another contender of the same rounds: the median of the
   * rounds' ratios, so that changes of the machine's speed cancel out.
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes after how many searches with a winner a confidence sequence detects that two models
 * differ. The result is exact: the distribution of wins in undecided experiments is computed search
 * by search.
 */
public final class SampleSize {
  /**
   * Maximum number of searches for which the result is computed. Smaller differences between models
   * need more searches.
   */
  public static final int MAX_SEARCHES = 200_000;

  private SampleSize() {}

  /**
   * Returns how many searches with a winner are needed to detect the difference between two models.
   *
   * @param share the better model's true share of the wins, above 0.5 and at most 1
   * @param powers shares of experiments that must have detected the difference, each below 1
   * @return the number of searches for each power; without powers that need more than {@value
   *     #MAX_SEARCHES} searches
   */
  public static Map<Double, Integer> searches(
      ConfidenceSequence sequence, double share, double... powers) {
    Map<Double, Integer> needed = new TreeMap<>();
    // open[k] is the probability of an undecided experiment with from + k wins of the better model.
    double[] open = {1};
    int from = 0;
    double decided = 0;
    int boundary = 1;
    for (int n = 1; n <= MAX_SEARCHES && needed.size() < powers.length; n++) {
      double[] next = new double[open.length + 1];
      for (int i = 0; i < open.length; i++) {
        next[i] += open[i] * (1 - share);
        next[i + 1] += open[i] * share;
      }
      while (boundary <= n && !sequence.excludes(boundary, n - boundary, 0.5)) {
        boundary++;
      }
      // The bounds for the two models are equal, because the sequence is symmetric.
      int high = Math.min(next.length, boundary - from);
      int low = Math.max(0, n - boundary + 1 - from);
      for (int i = 0; i < next.length; i++) {
        if (i < low || i >= high) {
          decided += next[i];
        }
      }
      open = high > low ? Arrays.copyOfRange(next, low, high) : new double[0];
      from += low;
      for (double power : powers) {
        if (decided >= power) {
          needed.putIfAbsent(power, n);
        }
      }
    }
    return needed;
  }
}

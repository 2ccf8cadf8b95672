// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.io.IOException;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Whether wins of two models tell that one is better: the sign test, two-sided and exact, without
 * ties, and Wilson's interval of the share of wins. E. B. Wilson, "Probable Inference, the Law of
 * Succession, and Statistical Inference", JASA 22 (1927).
 *
 * @param first wins of the first model, 0 or more
 * @param second wins of the second
 */
record SignTest(long first, long second) {
  /** Below this a difference is called more than chance. */
  private static final double SIGNIFICANT = 0.05;

  /** Of a normal distribution 95 % lie between this and its negative. */
  private static final double QUANTILE = 1.959963984540054;

  /** Terms of Stirling's series are exact enough from here on. */
  private static final long SMALL = 32;

  /** How likely wins at least as uneven are where neither model is better; 1 without any. */
  double probability() {
    long wins = first + second;
    long least = Math.min(first, second);
    if (2 * least == wins) {
      return 1;
    }
    // The terms from the least number of wins downwards; each is smaller than the one before.
    double term =
        Math.exp(
            logFactorial(wins)
                - logFactorial(least)
                - logFactorial(wins - least)
                - wins * Math.log(2));
    double sum = 0;
    for (long k = least; k >= 0 && term > sum * 1e-18; k--) {
      sum += term;
      term *= (double) k / (wins - k + 1);
    }
    return Math.min(1, 2 * sum);
  }

  private static double logFactorial(long n) {
    if (n < SMALL) {
      double log = 0;
      for (long i = 2; i <= n; i++) {
        log += Math.log(i);
      }
      return log;
    }
    return n * Math.log(n)
        - n
        + 0.5 * Math.log(2 * Math.PI * n)
        + 1.0 / (12.0 * n)
        - 1.0 / (360.0 * n * n * n);
  }

  /** The bounds of the first model's share of the wins; 0 and 1 without any. */
  double[] interval() {
    double n = first + second;
    if (n == 0) {
      return new double[] {0, 1};
    }
    double share = first / n;
    double z = QUANTILE * QUANTILE;
    double middle = (share + z / (2 * n)) / (1 + z / n);
    double half = QUANTILE / (1 + z / n) * Math.sqrt(share * (1 - share) / n + z / (4 * n * n));
    return new double[] {Math.max(0, middle - half), Math.min(1, middle + half)};
  }

  /** Writes the result; {@code better} only where it is more than chance. */
  void toXContent(ComparisonStats.Teams teams, XContentBuilder builder) throws IOException {
    if (first + second > 0) {
      double probability = probability();
      builder.field("share_of_wins", (double) first / (first + second));
      builder.array("share_interval_95", interval());
      builder.field("p_value", probability);
      if (probability < SIGNIFICANT) {
        builder.field("better", first > second ? teams.first() : teams.second());
      }
    }
  }
}

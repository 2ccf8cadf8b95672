// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.Arrays;

/**
 * The number of a feature's values in each bin (range of values) of {@link FeatureBins}: in the
 * last complete time window, and in all earlier time windows together.
 *
 * @param before the number of values per bin in all time windows before the last one
 * @param last the number of values per bin in the last complete time window
 */
record BinCounts(long[] before, long[] last) implements WireRecord {
  public static final BinCounts NONE = new BinCounts(new long[0], new long[0]);

  /**
   * Minimum number of values in the last time window, and also in all windows before it together.
   * With fewer values, {@link #psi} is NaN.
   */
  private static final long MIN_VALUES = 100;

  /**
   * {@link #psi} treats a smaller fraction of the values in a bin (range of values) as this
   * fraction, because the logarithm of 0 would be infinite.
   */
  private static final double MIN_SHARE = 1e-4;

  /** Returns the sums of these counts and other counts, for example another node's. */
  public BinCounts and(BinCounts other) {
    return new BinCounts(sum(before, other.before), sum(last, other.last));
  }

  /** Returns the counts at the end of the next time window, which has these values per bin. */
  BinCounts then(long[] over) {
    return new BinCounts(sum(before, last), over);
  }

  private static long[] sum(long[] one, long[] other) {
    long[] sum = Arrays.copyOf(one, Math.max(one.length, other.length));
    for (int i = 0; i < other.length; i++) {
      sum[i] += other[i];
    }
    return sum;
  }

  /**
   * Returns the population stability index, which measures how much the values in the last time
   * window differ from those before. It is the sum over the bins of (a - e) ln(a / e). Here, a is
   * the fraction of the values in the bin in the last window, and e the fraction before. The index
   * is 0 if the fractions are equal, and NaN if there are too few values.
   */
  public double psi() {
    double lastValues = Arrays.stream(last).sum();
    double valuesBefore = Arrays.stream(before).sum();
    if (lastValues < MIN_VALUES || valuesBefore < MIN_VALUES) {
      return Double.NaN;
    }
    double psi = 0;
    for (int bin = 0; bin < Math.min(last.length, before.length); bin++) {
      double actual = Math.max(MIN_SHARE, last[bin] / lastValues);
      double expected = Math.max(MIN_SHARE, before[bin] / valuesBefore);
      psi += (actual - expected) * StrictMath.log(actual / expected);
    }
    return psi;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BinCounts that
        && Arrays.equals(before, that.before)
        && Arrays.equals(last, that.last);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(before) + Arrays.hashCode(last);
  }

  @Override
  public String toString() {
    return Arrays.toString(before) + " " + Arrays.toString(last);
  }
}

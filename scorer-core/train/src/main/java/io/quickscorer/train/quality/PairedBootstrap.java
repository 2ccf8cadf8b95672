// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A test whether the mean of paired differences is from 0 by more than chance, by the means of
 * queries drawn with replacement (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
 * chapter 13; for rankings Sakai, SIGIR 2006).
 *
 * @param mean of the differences
 * @param low the lower end of the interval that holds 95 % of the draws' means
 * @param high its upper end
 * @param share of the draws whose mean is not above 0, 0 to 1
 * @param differing number of differences that are not 0
 */
public record PairedBootstrap(double mean, double low, double high, double share, int differing) {
  private static final int DRAWS = 10_000;
  private static final long SEED = 17;

  /**
   * Minimum number of differences that are not 0: this many with one sign are unlikely by chance (2
   * / 2^6 < 5 %). Without this bound a single query would be significant: all of its draws are
   * equal, so the interval has no width.
   */
  private static final int MIN_DIFFERING = 6;

  /**
   * Computes the bootstrap of differences, one per query; equal differences have equal intervals.
   */
  public static PairedBootstrap of(double[] differences) {
    if (differences.length == 0) {
      return new PairedBootstrap(0, 0, 0, 1, 0);
    }
    SplittableRandom random = new SplittableRandom(SEED);
    double[] means = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      double sum = 0;
      for (int i = 0; i < differences.length; i++) {
        sum += differences[random.nextInt(differences.length)];
      }
      means[draw] = sum / differences.length;
    }
    Arrays.sort(means);
    double mean = Arrays.stream(differences).average().orElse(0);
    long notAbove = Arrays.stream(means).filter(m -> m <= 0).count();
    return new PairedBootstrap(
        mean,
        means[DRAWS * 25 / 1000],
        means[DRAWS * 975 / 1000],
        (double) notAbove / DRAWS,
        (int) Arrays.stream(differences).filter(difference -> difference != 0).count());
  }

  /** Computes the bootstrap of the differences of two measures, one of each per query. */
  public static PairedBootstrap of(double[] measure, double[] other) {
    return of(IntStream.range(0, measure.length).mapToDouble(q -> measure[q] - other[q]).toArray());
  }

  /** Whether the gain is beyond noise: enough queries differ, and the whole interval is above 0. */
  public boolean isSignificant() {
    return isTellable() && low > 0;
  }

  /** Whether the loss is beyond noise: enough queries differ, and the whole interval is below 0. */
  public boolean isSignificantLoss() {
    return isTellable() && high < 0;
  }

  private boolean isTellable() {
    return differing >= MIN_DIFFERING;
  }
}

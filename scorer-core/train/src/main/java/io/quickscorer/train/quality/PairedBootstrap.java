// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A test of whether the mean of differences between paired measurements is not 0. It draws many
 * samples of the queries, with replacement (bootstrap; Efron and Tibshirani, An Introduction to the
 * Bootstrap, 1993, chapter 13; for rankings Sakai, SIGIR 2006).
 *
 * @param mean the mean of the differences
 * @param low the lower end of the 95 % interval of the samples' means
 * @param high the upper end of the 95 % interval of the samples' means
 * @param share the share (0 to 1) of samples whose mean is not above 0
 * @param differing number of differences that are not 0
 */
public record PairedBootstrap(double mean, double low, double high, double share, int differing) {
  private static final int DRAWS = 10_000;
  private static final long SEED = 17;

  /**
   * Minimum number of differences other than 0 for a significant result. The chance that all
   * differences have the same sign is 3 % (2 / 2^6) for six differences, but 6 % for five.
   */
  private static final int MIN_DIFFERING = 6;

  /**
   * Tests differences, one per query. Equal arguments give equal results, because the seed of the
   * bootstrap is fixed.
   */
  public static PairedBootstrap of(double[] differences) {
    return weighted(
        differences, DoubleStream.generate(() -> 1).limit(differences.length).toArray());
  }

  /**
   * Tests the ratio of two sums: of differences, and of their weights. A sample draws pairs of a
   * difference and its weight. So if all differences are in proportion to their weights, the
   * interval has no width.
   *
   * @param weights 0 or more for each difference
   */
  public static PairedBootstrap weighted(double[] differences, double[] weights) {
    if (differences.length == 0) {
      return new PairedBootstrap(0, 0, 0, 1, 0);
    }
    SplittableRandom random = new SplittableRandom(SEED);
    double[] means = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      double sum = 0;
      double weight = 0;
      for (int i = 0; i < differences.length; i++) {
        int drawn = random.nextInt(differences.length);
        sum += differences[drawn];
        weight += weights[drawn];
      }
      means[draw] = ratio(sum, weight);
    }
    Arrays.sort(means);
    double mean = ratio(Arrays.stream(differences).sum(), Arrays.stream(weights).sum());
    long notAbove = Arrays.stream(means).filter(m -> m <= 0).count();
    return new PairedBootstrap(
        mean,
        means[DRAWS * 25 / 1000],
        means[DRAWS * 975 / 1000],
        (double) notAbove / DRAWS,
        (int) Arrays.stream(differences).filter(difference -> difference != 0).count());
  }

  /** Tests the differences {@code measure[i] - other[i]}, one for each query i. */
  public static PairedBootstrap of(double[] measure, double[] other) {
    return of(IntStream.range(0, measure.length).mapToDouble(q -> measure[q] - other[q]).toArray());
  }

  /**
   * Returns whether the mean is significantly above 0: enough differences are not 0, and the
   * interval is above 0.
   */
  public boolean isSignificant() {
    return hasEnoughDifferences() && low > 0;
  }

  /**
   * Returns whether the mean is significantly below 0: enough differences are not 0, and the
   * interval is below 0.
   */
  public boolean isSignificantLoss() {
    return hasEnoughDifferences() && high < 0;
  }

  /** Returns the reason why no mean would be significant, for users; empty if there is none. */
  public String tooFew() {
    return hasEnoughDifferences()
        ? ""
        : " (queries that differ: " + differing + ", expected at least " + MIN_DIFFERING + ")";
  }

  /**
   * Returns a value and its interval as text.
   *
   * @param format the format of each of the three numbers, as in {@link String#format}
   */
  public static String text(String format, double value, double low, double high) {
    return String.format(
        Locale.ROOT, format + " (" + format + " to " + format + ")", value, low, high);
  }

  private static double ratio(double sum, double weight) {
    return weight == 0 ? 0 : sum / weight;
  }

  private boolean hasEnoughDifferences() {
    return differing >= MIN_DIFFERING;
  }
}

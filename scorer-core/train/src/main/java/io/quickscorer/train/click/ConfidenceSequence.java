// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

/**
 * Intervals of a probability of success that hold at all sample sizes at once: with at least the
 * stated confidence the true value is in the interval after the first trial, after the second, and
 * so on, so that a user may check after each trial and stop at any time.
 *
 * <p>An interval has the probabilities p for which the mixture of likelihood ratios over a uniform
 * prior, {@code ∫ q^k (1-q)^(n-k) dq / (p^k (1-p)^(n-k))} after k successes in n trials, is below
 * {@code 1 / (1 - confidence)}: for the true p that ratio is a martingale, which Ville's inequality
 * bounds. Herbert Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm",
 * Annals of Mathematical Statistics 41 (1970); Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform,
 * Nonparametric, Nonasymptotic Confidence Sequences", Annals of Statistics 49 (2021). Trials are
 * independent of each other.
 *
 * @param confidence above 0 and below 1
 */
public record ConfidenceSequence(double confidence) {
  /** From this number on Stirling's series is exact enough. */
  private static final long MIN_STIRLING = 32;

  private static final double HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

  /** Number of halvings of an interval of doubles between 0 and 1. */
  private static final int HALVINGS = 60;

  /**
   * Bounds of a probability.
   *
   * @param low 0 or more
   * @param high 1 or less
   */
  public record Interval(double low, double high) {
    /** Whether a value lies between the bounds, or on one of them. */
    public boolean contains(double value) {
      return low <= value && value <= high;
    }
  }

  public ConfidenceSequence {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException("confidence [" + confidence + "], expected 0 < c < 1");
    }
  }

  /**
   * Returns the interval after some trials.
   *
   * @param successes 0 or more
   * @param failures 0 or more
   * @return from 0 to 1 if there were no trials
   */
  public Interval interval(long successes, long failures) {
    double share = successes + failures == 0 ? 0.5 : (double) successes / (successes + failures);
    double low = successes == 0 ? 0 : bound(successes, failures, share, 0);
    double high = failures == 0 ? 1 : bound(successes, failures, share, 1);
    return new Interval(low, high);
  }

  /** The last value not excluded between one that is never excluded and one that always is. */
  private double bound(long successes, long failures, double inside, double outside) {
    double in = inside;
    double out = outside;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = 0.5 * (in + out);
      if (excludes(successes, failures, middle)) {
        out = middle;
      } else {
        in = middle;
      }
    }
    return out;
  }

  /**
   * Whether a probability is outside the interval.
   *
   * @param probability above 0 and below 1
   */
  boolean excludes(long successes, long failures, double probability) {
    long trials = successes + failures;
    double logRatio =
        logFactorial(successes)
            + logFactorial(failures)
            - logFactorial(trials)
            - Math.log(trials + 1.0)
            - successes * Math.log(probability)
            - failures * Math.log1p(-probability);
    return logRatio >= -Math.log(1 - confidence);
  }

  private static double logFactorial(long n) {
    if (n < MIN_STIRLING) {
      double log = 0;
      for (long i = 2; i <= n; i++) {
        log += Math.log(i);
      }
      return log;
    }
    double size = n;
    return size * Math.log(size)
        - size
        + 0.5 * Math.log(size)
        + HALF_LOG_2PI
        + 1 / (12 * size)
        - 1 / (360 * size * size * size);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

/**
 * Confidence intervals of a probability of success that are valid for all sample sizes at once:
 * with at least the given confidence, the true value is in all the intervals after the first trial,
 * the second trial, and so on. So a user may check the interval after each trial and stop at any
 * time.
 *
 * <p>After k successes in n trials, the interval consists of the probabilities p for which the
 * mixture of likelihood ratios over a uniform prior, {@code ∫ q^k (1-q)^(n-k) dq / (p^k
 * (1-p)^(n-k))}, is below {@code 1 / (1 - confidence)}. For the true p, this ratio is a martingale,
 * which Ville's inequality bounds. Sources: Herbert Robbins, "Statistical Methods Related to the
 * Law of the Iterated Logarithm", Annals of Mathematical Statistics 41 (1970); Howard, Ramdas,
 * McAuliffe and Sekhon, "Time-uniform, Nonparametric, Nonasymptotic Confidence Sequences", Annals
 * of Statistics 49 (2021). The trials must be independent of each other.
 *
 * @param confidence above 0 and below 1
 */
public record ConfidenceSequence(double confidence) {
  /** Minimum n for which Stirling's series of log n! is exact enough. */
  private static final long MIN_STIRLING = 32;

  private static final double HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

  /** Number of bisections of the interval from 0 to 1 that reach the precision of doubles. */
  private static final int HALVINGS = 60;

  /**
   * An interval of probabilities.
   *
   * @param low the lower bound, at least 0
   * @param high the upper bound, at most 1
   */
  public record Interval(double low, double high) {
    /** Returns whether a value is in this interval, which includes its bounds. */
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
   * Returns the confidence interval after some trials.
   *
   * @param successes number of successes, at least 0
   * @param failures number of failures, at least 0
   * @return the interval; 0 to 1 if there were no trials
   */
  public Interval interval(long successes, long failures) {
    double share = successes + failures == 0 ? 0.5 : (double) successes / (successes + failures);
    double low = successes == 0 ? 0 : bound(successes, failures, share, 0);
    double high = failures == 0 ? 1 : bound(successes, failures, share, 1);
    return new Interval(low, high);
  }

  /**
   * Returns a bound of the confidence interval by bisection between a value inside and a value
   * outside of it.
   */
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
   * Returns whether a probability is outside the confidence interval.
   *
   * @param probability a value above 0 and below 1
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

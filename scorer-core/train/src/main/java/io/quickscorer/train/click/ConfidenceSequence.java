// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Confidence intervals of a probability of success that are valid after each trial. So a user may
 * look at the interval after each trial and stop at any time.
 *
 * <p>After k successes in n independent trials, the interval consists of the probabilities p for
 * which the mixture of likelihood ratios over a uniform prior, {@code ∫ q^k (1-q)^(n-k) dq / (p^k
 * (1-p)^(n-k))}, is below {@code 1 / (1 - confidence)}. For the true p, this ratio is a martingale,
 * which Ville's inequality bounds. Sources: Herbert Robbins, "Statistical Methods Related to the
 * Law of the Iterated Logarithm", Annals of Mathematical Statistics 41 (1970); Howard, Ramdas,
 * McAuliffe and Sekhon, "Time-uniform, Nonparametric, Nonasymptotic Confidence Sequences", Annals
 * of Statistics 49 (2021).
 *
 * @param confidence the probability that all intervals contain the true value; above 0 and below 1
 */
public record ConfidenceSequence(double confidence) {
  /** Maximum number of trials that {@link #trials} considers. */
  public static final int MAX_TRIALS = 200_000;

  /** Minimum n for which Stirling's series of log n! is exact enough. */
  private static final long MIN_STIRLING = 32;

  private static final double HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

  /** Number of bisections of the interval 0 to 1 after which a bound cannot be more precise. */
  private static final int HALVINGS = 60;

  /** An interval of probabilities, from 0 to 1, which includes its bounds. */
  public record Interval(double low, double high) {}

  public ConfidenceSequence {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException(
          "confidence [" + confidence + "], expected a number between 0 and 1");
    }
  }

  /** Returns the confidence interval after some trials; 0 to 1 if there were none. */
  public Interval interval(long successes, long failures) {
    double share = successes + failures == 0 ? 0.5 : (double) successes / (successes + failures);
    double low = successes == 0 ? 0 : bound(successes, failures, share, 0);
    double high = failures == 0 ? 1 : bound(successes, failures, share, 1);
    return new Interval(low, high);
  }

  /** Returns the bound of the interval that is between {@code inside} and {@code outside}. */
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

  /** Returns whether a probability, above 0 and below 1, is outside the confidence interval. */
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

  /**
   * Returns how many trials are needed so that the interval excludes 0.5 with each probability in
   * {@code powers}. The numbers are computed exactly, not by simulation.
   *
   * @param share the true probability of success, above 0.5 and at most 1
   * @param powers probabilities below 1
   * @return the number of trials for each element of {@code powers}; without those that need more
   *     than {@value #MAX_TRIALS}
   */
  public Map<Double, Integer> trials(double share, double... powers) {
    Map<Double, Integer> needed = new TreeMap<>();
    // open[k] is the probability of an undecided experiment with from + k successes.
    double[] open = {1};
    int from = 0;
    double decided = 0;
    int boundary = 1;
    for (int n = 1; n <= MAX_TRIALS && needed.size() < powers.length; n++) {
      double[] next = new double[open.length + 1];
      for (int i = 0; i < open.length; i++) {
        next[i] += open[i] * (1 - share);
        next[i + 1] += open[i] * share;
      }
      while (boundary <= n && !excludes(boundary, n - boundary, 0.5)) {
        boundary++;
      }
      // The lower bound mirrors the upper bound, because the sequence is symmetric.
      int high = Math.min(next.length, boundary - from);
      int low = Math.max(0, n - boundary + 1 - from);
      for (int i = 0; i < next.length; i++) {
        decided += i < low || i >= high ? next[i] : 0;
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ConfidenceSequenceTest {
  private static final int EXPERIMENTS = 1_000;
  private static final int SEARCHES = 2_000;
  private static final ConfidenceSequence SEQUENCE = new ConfidenceSequence(0.95);

  /** How many of some experiments have the true share outside the interval at any time. */
  private static int missed(double share, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int missed = 0;
    for (int e = 0; e < EXPERIMENTS; e++) {
      int wins = 0;
      boolean out = false;
      for (int n = 1; n <= SEARCHES && !out; n++) {
        wins += random.nextDouble() < share ? 1 : 0;
        out = SEQUENCE.excludes(wins, n - wins, share);
      }
      missed += out ? 1 : 0;
    }
    return missed;
  }

  @Test
  void coversTheTrueShareAtAllTimesAtOnce() {
    for (double share : new double[] {0.5, 0.55, 0.8, 0.97}) {
      int missed = missed(share, 1);
      assertTrue(missed <= EXPERIMENTS / 20, share + ": " + missed);
      assertTrue(missed > 0, share + ": an interval that never misses is too wide");
    }
  }

  /** An interval for one look, looked at as often, shows what the sequence is for. */
  @Test
  void anIntervalForOneLookMissesFarMoreOften() {
    SplittableRandom random = new SplittableRandom(1);
    int missed = 0;
    for (int e = 0; e < EXPERIMENTS; e++) {
      int wins = 0;
      boolean out = false;
      for (int n = 1; n <= SEARCHES; n++) {
        wins += random.nextBoolean() ? 1 : 0;
        out |= n >= 20 && Math.abs(wins - n / 2.0) > 1.96 * Math.sqrt(n) / 2;
      }
      missed += out ? 1 : 0;
    }
    assertTrue(missed > EXPERIMENTS / 4, "missed " + missed);
  }

  @Test
  void boundsAreWhereTheRatioReachesItsLimit() {
    // 7 wins, 3 losses: the ratio is B(8, 4) / (p^7 (1-p)^3), B(8, 4) = 7! 3! / 11!.
    ConfidenceSequence.Interval interval = SEQUENCE.interval(7, 3);
    for (double p : new double[] {interval.low(), interval.high()}) {
      double ratio = 5040.0 * 6 / 39916800 / (Math.pow(p, 7) * Math.pow(1 - p, 3));
      assertEquals(20, ratio, 1e-9);
    }
    assertTrue(interval.low() < 0.7 && 0.7 < interval.high());
    ConfidenceSequence.Interval mirrored = SEQUENCE.interval(3, 7);
    assertEquals(interval.low(), 1 - mirrored.high(), 1e-12);
    assertEquals(interval.high(), 1 - mirrored.low(), 1e-12);
  }

  @Test
  void factorialsAreJoinedSmoothly() {
    // From exact sums to Stirling's series: one more win never widens the interval's middle away.
    for (long n = 28; n < 40; n++) {
      double now = SEQUENCE.interval(n, n).high();
      double next = SEQUENCE.interval(n + 1, n + 1).high();
      assertTrue(next < now && now - next < 0.005, n + ": " + now + ", " + next);
    }
  }

  @Test
  void withoutSearchesNothingIsExcluded() {
    assertEquals(new ConfidenceSequence.Interval(0, 1), SEQUENCE.interval(0, 0));
    assertEquals(0, SEQUENCE.interval(0, 5).low());
    assertEquals(1, SEQUENCE.interval(5, 0).high());
    assertTrue(SEQUENCE.interval(0, 40).high() < 0.5);
    assertThrows(IllegalArgumentException.class, () -> new ConfidenceSequence(1));
    assertThrows(IllegalArgumentException.class, () -> new ConfidenceSequence(Double.NaN));
  }

  /** The exact numbers, held against experiments. */
  @Test
  void sampleSizesAreThoseOfExperiments() {
    double share = 0.6;
    int needed = SEQUENCE.trials(share, 0.8).get(0.8);
    SplittableRandom random = new SplittableRandom(3);
    int decided = 0;
    for (int e = 0; e < EXPERIMENTS; e++) {
      int wins = 0;
      boolean told = false;
      for (int n = 1; n <= needed && !told; n++) {
        wins += random.nextDouble() < share ? 1 : 0;
        told = SEQUENCE.excludes(wins, n - wins, 0.5);
      }
      decided += told ? 1 : 0;
    }
    assertEquals(0.8, (double) decided / EXPERIMENTS, 0.04);
  }

  @Test
  void smallerDifferencesNeedMoreSearches() {
    Map<Double, Integer> large = SEQUENCE.trials(0.7, 0.5, 0.95);
    Map<Double, Integer> small = SEQUENCE.trials(0.55, 0.5, 0.95);
    assertTrue(large.get(0.5) < large.get(0.95));
    assertTrue(large.get(0.95) < small.get(0.5));
    assertEquals(Map.of(), SEQUENCE.trials(0.5001, 0.5));
  }
}

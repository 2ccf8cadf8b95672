// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class TimingTest {
  @Test
  void quantilesAreTurns() {
    Timing timing = new Timing(new double[] {5, 1, 4, 2, 3}, 0);
    assertEquals(1, timing.quantile(0));
    assertEquals(3, timing.median());
    assertEquals(5, timing.quantile(1));
    assertEquals(7, new Timing(new double[] {7}, 0).quantile(0.9));
  }

  /** A machine that halves its speed for some rounds changes both medians but no ratio. */
  @Test
  void ratiosAreTakenRoundByRound() {
    Timing one = new Timing(new double[] {1, 2, 2, 1, 2}, 0);
    Timing other = new Timing(new double[] {3, 6, 6, 3, 6}, 0);
    assertEquals(3, other.over(one));
    assertEquals(1, one.over(one));
  }
}

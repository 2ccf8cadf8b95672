// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import static io.quickscorer.ensemble.Accumulator.DOUBLE;
import static io.quickscorer.ensemble.Accumulator.FLOAT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class AccumulatorTest {
  @Test
  void floatsAreRoundedAfterEachTree() {
    assertEquals(1 + 1e-12, DOUBLE.add(1, 1e-12));
    assertEquals(1, FLOAT.add(1, 1e-12));
  }

  @Test
  void ulpsOfNeighbours() {
    for (Accumulator accumulator : Accumulator.values()) {
      assertEquals(0, accumulator.ulps(0.0, -0.0));
      assertEquals(0, accumulator.ulps(Double.NaN, Double.NaN));
      assertEquals(1, accumulator.ulps(Double.POSITIVE_INFINITY, largest(accumulator)));
    }
    assertEquals(1, DOUBLE.ulps(1, Math.nextUp(1.0)));
    assertEquals(1, FLOAT.ulps(Math.nextUp(1f), 1));
    assertEquals(2, DOUBLE.ulps(-Double.MIN_VALUE, Double.MIN_VALUE));
    assertEquals(2, FLOAT.ulps(-Float.MIN_VALUE, Float.MIN_VALUE));
    assertEquals(0, FLOAT.ulps(0.1, 0.1f));
    assertTrue(DOUBLE.ulps(0.1, 0.1f) > 1_000_000);
  }

  private static double largest(Accumulator accumulator) {
    return accumulator == FLOAT ? Float.MAX_VALUE : Double.MAX_VALUE;
  }

  /** The difference of -2 and 2 is the one number whose absolute value a long does not have. */
  @Test
  void ulpsOfOppositeSigns() {
    assertEquals(Long.MAX_VALUE, DOUBLE.ulps(-2.0, 2.0));
    assertEquals(Long.MAX_VALUE, DOUBLE.ulps(2.0, -2.0));
    assertEquals(Long.MAX_VALUE, DOUBLE.ulps(-Double.MAX_VALUE, Double.MAX_VALUE));
    assertEquals(Long.MAX_VALUE, DOUBLE.ulps(Double.NaN, -1e300));
    assertEquals(1L << 31, FLOAT.ulps(-2.0, 2.0));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class LinearTermsTest {
  private static final LinearTerms TERMS =
      LinearTerms.normalised(
          new int[] {2, 0, 1, 3},
          new double[] {0.1, 3, 5, 7},
          new float[] {0, 2, 0, -1},
          new float[] {1, 4, 0.5f, 1});

  @Test
  void parts() {
    assertEquals(4, TERMS.size());
    assertEquals(2, TERMS.feature(0));
    assertEquals(0.1, TERMS.weight(0));
    assertEquals(2, TERMS.offset(1));
    assertEquals(4, TERMS.divisor(1));
    LinearTerms plain = LinearTerms.of(new int[] {5}, new double[] {2});
    assertEquals(0, plain.offset(0));
    assertEquals(1, plain.divisor(0));
  }

  @Test
  void normalisers() {
    assertFalse(TERMS.isNormalised(0));
    for (int term = 1; term < 4; term++) {
      assertTrue(TERMS.isNormalised(term), "an offset or a divisor is enough");
    }
    assertEquals(9, TERMS.normalise(0, 9));
    assertEquals((9f - 2f) / 4f, TERMS.normalise(1, 9));
    assertEquals(-0.5f, TERMS.normalise(1, Float.NaN), "missing is 0 before it is normalised");
  }

  @Test
  void sums() {
    assertEquals(10 + 0.1 * 0.3f, TERMS.add(Accumulator.DOUBLE, 10, 0, 0.3f));
    assertEquals(10f + 0.1f * 0.3f, TERMS.add(Accumulator.FLOAT, 10, 0, 0.3f));
    assertEquals(10 + 3 * 1.75f, TERMS.add(Accumulator.DOUBLE, 10, 1, 9));
    assertEquals(10 + 3 * -0.5f, TERMS.add(Accumulator.DOUBLE, 10, 1, Float.NaN));
    assertEquals(0.1, TERMS.add(Accumulator.FLOAT, 0.1, 0, Float.NaN), "missing adds nothing");
    LinearTerms infinite = LinearTerms.of(new int[] {0}, new double[] {-1});
    assertEquals(
        Double.NEGATIVE_INFINITY, infinite.add(Accumulator.DOUBLE, 0, 0, Float.POSITIVE_INFINITY));
  }

  private static void refused(String message, double weight, float offset, float divisor) {
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () ->
                LinearTerms.normalised(
                    new int[2],
                    new double[] {1, weight},
                    new float[] {0, offset},
                    new float[] {1, divisor}));
    assertEquals(message, e.getMessage());
  }

  @Test
  void whatIsNoNumber() {
    refused("weight 1: NaN, expected a finite number", Double.NaN, 0, 1);
    refused(
        "weight 1: found normaliser (x - Infinity) / 1.0, expected finite numbers and a positive"
            + " divisor",
        1,
        Float.POSITIVE_INFINITY,
        1);
    refused(
        "weight 1: found normaliser (x - 0.0) / 0.0, expected finite numbers and a positive"
            + " divisor",
        1,
        0,
        0);
    refused(
        "weight 1: found normaliser (x - 0.0) / -1.0, expected finite numbers and a positive"
            + " divisor",
        1,
        0,
        -1);
    refused(
        "weight 1: found normaliser (x - 0.0) / NaN, expected finite numbers and a positive"
            + " divisor",
        1,
        0,
        Float.NaN);
    refused(
        "weight 1: found normaliser (x - 0.0) / Infinity, expected finite numbers and a positive"
            + " divisor",
        1,
        0,
        Float.POSITIVE_INFINITY);
  }
}

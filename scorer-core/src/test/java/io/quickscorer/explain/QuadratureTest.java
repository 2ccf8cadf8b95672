// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QuadratureTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7, 8, 63, 64, 511, 4095})
  void integratesPowersExactly(int degree) {
    Quadrature rule = Quadrature.ofDegree(degree);
    assertEquals(degree / 2 + 1, rule.points().length);
    for (int power : new int[] {0, 1, degree / 2, degree}) {
      // Near both ends of the interval, where large powers live.
      double rising = 0;
      double falling = 0;
      for (int k = 0; k < rule.points().length; k++) {
        rising += rule.weights()[k] * Math.pow(rule.points()[k], power);
        falling += rule.weights()[k] * Math.pow(rule.inverseRests()[k], -power);
      }
      assertEquals(1.0 / (power + 1), rising, 1e-12 / (power + 1), "t^" + power);
      assertEquals(1.0 / (power + 1), falling, 1e-12 / (power + 1), "(1 - t)^" + power);
    }
    for (int k = 0; k < rule.points().length; k++) {
      double before = k == 0 ? 0 : rule.points()[k - 1];
      assertTrue(rule.points()[k] > before && rule.points()[k] < 1, "point " + k);
    }
  }
}

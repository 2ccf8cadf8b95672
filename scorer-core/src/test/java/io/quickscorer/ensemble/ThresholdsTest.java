// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every rewriting is compared with the trainer's own comparison, in double, around the bound. */
final class ThresholdsTest {
  private static final double[] EDGES = {
    0.0,
    -0.0,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_VALUE / 2.0,
    -Float.MIN_VALUE / 2.0,
    Float.MIN_NORMAL,
    1e-35,
    -1e-35,
    MissingValue.ZERO_BOUND,
    -MissingValue.ZERO_BOUND,
    1.0,
    Math.nextUp(1.0),
    Math.nextDown(1.0),
    0.1,
    -0.1,
    16_777_217.0,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Math.nextUp((double) Float.MAX_VALUE),
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };

  private interface Comparison {
    boolean left(float value, double threshold);
  }

  private interface Rewriting {
    float bound(double threshold);
  }

  @Test
  void lessOrEqual() {
    check(Thresholds::lessOrEqual, (x, t) -> x <= t);
  }

  @Test
  void lessThan() {
    check(Thresholds::lessThan, (x, t) -> x < t);
  }

  @Test
  void lessOrEqualZeroed() {
    check(
        Thresholds::lessOrEqualZeroed,
        (x, t) -> (Math.abs(x) <= MissingValue.ZERO_BOUND ? 0.0 : x) <= t);
  }

  @Test
  void noBoundIsMinusZero() {
    assertEquals(0, Float.floatToRawIntBits(Thresholds.lessOrEqual(-0.0)));
    assertEquals(0, Float.floatToRawIntBits(Thresholds.lessThan(Float.MIN_VALUE)));
  }

  private static void check(Rewriting rewriting, Comparison comparison) {
    for (double threshold : thresholds()) {
      float bound = rewriting.bound(threshold);
      for (float value : neighbours(threshold)) {
        assertEquals(
            comparison.left(value, threshold),
            value <= bound,
            () -> "value " + value + ", threshold " + threshold + ", bound " + bound);
      }
    }
  }

  private static List<Double> thresholds() {
    SplittableRandom random = Seeds.random("thresholds");
    List<Double> thresholds = new ArrayList<>();
    for (double edge : EDGES) {
      thresholds.add(edge);
    }
    for (int i = 0; i < 2000; i++) {
      thresholds.add(Double.longBitsToDouble(random.nextLong()));
      double near = Float.intBitsToFloat(random.nextInt());
      thresholds.add(near);
      thresholds.add(Math.nextUp(near));
      thresholds.add(Math.nextDown(near));
    }
    thresholds.removeIf(t -> Double.isNaN(t));
    return thresholds;
  }

  private static List<Float> neighbours(double threshold) {
    List<Float> values = new ArrayList<>();
    for (double edge : EDGES) {
      values.add((float) edge);
    }
    float up = (float) threshold;
    float down = up;
    for (int i = 0; i < 4; i++) {
      values.add(up);
      values.add(down);
      up = Math.nextUp(up);
      down = Math.nextDown(down);
    }
    return values;
  }
}

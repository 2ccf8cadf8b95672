// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;

/** Distances between scores in units in the last place; 0 only for equal bits. */
public final class Ulps {
  private Ulps() {}

  /** Floats between two scores of a trainer that sums in float, doubles between two others. */
  public static long between(Accumulator accumulator, double a, double b) {
    return accumulator == Accumulator.FLOAT
        ? Math.abs((long) ordered((float) a) - ordered((float) b))
        : Math.abs(ordered(a) - ordered(b));
  }

  /** Both zeros differ, as their bits do. */
  private static int ordered(float value) {
    int bits = Float.floatToIntBits(value);
    return bits < 0 ? Integer.MIN_VALUE - bits - 1 : bits;
  }

  private static long ordered(double value) {
    long bits = Double.doubleToLongBits(value);
    return bits < 0 ? Long.MIN_VALUE - bits - 1 : bits;
  }
}

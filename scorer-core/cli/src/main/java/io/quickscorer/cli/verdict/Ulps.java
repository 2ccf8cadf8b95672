// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.ensemble.Accumulator;

/** Distances between scores, in units in the last place. */
public final class Ulps {
  private Ulps() {}

  /**
   * How many numbers lie between two scores: floats where the trainer sums in float, else doubles.
   * Both zeros are the same.
   */
  public static long between(Accumulator accumulator, double a, double b) {
    return accumulator == Accumulator.FLOAT ? floats(a, b) : doubles(a, b);
  }

  static long doubles(double a, double b) {
    if (a == b) {
      return 0;
    }
    long difference =
        ordered(Double.doubleToLongBits(a), Long.MIN_VALUE)
            - ordered(Double.doubleToLongBits(b), Long.MIN_VALUE);
    // Numbers of opposite signs may lie further apart than a long can tell.
    return difference == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(difference);
  }

  private static long floats(double a, double b) {
    if ((float) a == (float) b) {
      return 0;
    }
    return Math.abs(
        ordered(Float.floatToIntBits((float) a), Integer.MIN_VALUE)
            - ordered(Float.floatToIntBits((float) b), Integer.MIN_VALUE));
  }

  /** Bits of sign and magnitude as a number that grows with the value. */
  private static long ordered(long bits, long signBit) {
    return bits < 0 ? signBit - bits : bits;
  }
}

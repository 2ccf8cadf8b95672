// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The arithmetic in which leaf values are summed, in tree order; a property of the trainer.
 *
 * <p>{@link #FLOAT} adds in double and rounds to float after each tree. For leaves that are floats
 * this is float addition to the bit (XGBoost), because a double holds the exact sum's rounding; for
 * double leaves it is what RankLib does.
 */
public enum Accumulator {
  DOUBLE,
  FLOAT;

  /** Returns the sum with one more leaf. */
  public double add(double sum, double leaf) {
    return this == DOUBLE ? sum + leaf : (float) (sum + leaf);
  }

  /**
   * Returns the distance of two scores in units in the last place: in steps between neighbouring
   * floats if sums are floats, else doubles. Both zeros are equal, and so are all NaNs.
   *
   * @return 0 or more; {@link Long#MAX_VALUE} also if the distance exceeds a long
   */
  public long ulps(double a, double b) {
    long x = this == DOUBLE ? ordinal(a) : ordinal((float) a);
    long y = this == DOUBLE ? ordinal(b) : ordinal((float) b);
    long distance = Math.max(x, y) - Math.min(x, y);
    return distance < 0 ? Long.MAX_VALUE : distance;
  }

  /** Returns a number that grows by one from each double to the next. */
  private static long ordinal(double value) {
    long bits = Double.doubleToLongBits(value);
    return bits < 0 ? Long.MIN_VALUE - bits : bits;
  }

  private static long ordinal(float value) {
    int bits = Float.floatToIntBits(value);
    return bits < 0 ? Integer.MIN_VALUE - bits : bits;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The precision in which a trainer adds the leaf values of a document, one tree after the other.
 *
 * <p>{@link #FLOAT} adds in double and rounds the sum to float after each tree. If leaf values are
 * floats, as in XGBoost, the result is bit-identical to float addition. RankLib, whose leaf values
 * are doubles, also adds in this way.
 */
public enum Accumulator {
  /** The sum is a double and is not rounded after a tree. */
  DOUBLE,
  /** The sum is rounded to float after each tree is added. */
  FLOAT;

  /** Returns the sum of leaf values after adding one more value, rounded to this precision. */
  public double add(double sum, double leaf) {
    return this == DOUBLE ? sum + leaf : (float) (sum + leaf);
  }

  /**
   * Returns the distance of two scores in units in the last place (ulp). The distance is the number
   * of steps from one score to the other over neighbouring numbers. The numbers are floats for
   * {@link #FLOAT} and doubles for {@link #DOUBLE}. 0.0 and -0.0 count as equal, and so do all
   * NaNs.
   *
   * @return the distance, 0 or more; {@link Long#MAX_VALUE} if it does not fit into a long
   */
  public long ulps(double a, double b) {
    long x = this == DOUBLE ? ordinal(a) : ordinal((float) a);
    long y = this == DOUBLE ? ordinal(b) : ordinal((float) b);
    long distance = Math.max(x, y) - Math.min(x, y);
    return distance < 0 ? Long.MAX_VALUE : distance;
  }

  /**
   * Returns the position of a double in the order of all doubles: the next larger double has a
   * position larger by 1, and both zeros have the position 0.
   */
  private static long ordinal(double value) {
    long bits = Double.doubleToLongBits(value);
    return bits < 0 ? Long.MIN_VALUE - bits : bits;
  }

  private static long ordinal(float value) {
    int bits = Float.floatToIntBits(value);
    return bits < 0 ? Integer.MIN_VALUE - bits : bits;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

/** Converts floats to ints that compare like the floats. */
public final class FloatOrder {
  private FloatOrder() {}

  /**
   * Returns an int for a value that is not NaN, such that ints compare like their values; 0.0 and
   * -0.0 have the same int.
   */
  public static int key(float value) {
    int bits = Float.floatToRawIntBits(value + 0f);
    return bits ^ (bits >> 31 & Integer.MAX_VALUE);
  }

  /** Returns the float for an int from {@link #key}; 0.0 for zero. */
  public static float value(int key) {
    return Float.intBitsToFloat(key ^ (key >> 31 & Integer.MAX_VALUE));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

/** Converts floats to ints that compare like the floats. */
public final class FloatOrder {
  private FloatOrder() {}

  /**
   * Returns an int that compares like the value, which must not be NaN; 0.0 and -0.0 have equal
   * keys.
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

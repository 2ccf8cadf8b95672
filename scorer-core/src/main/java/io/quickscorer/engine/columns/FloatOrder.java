// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

/** Floats as ints of the same order. */
public final class FloatOrder {
  private FloatOrder() {}

  /** The key of a value that is not NaN: keys compare as values do; both zeros have the same. */
  public static int key(float value) {
    int bits = Float.floatToRawIntBits(value + 0f);
    return bits ^ (bits >> 31 & Integer.MAX_VALUE);
  }

  /** The value of a key; of zero's, 0.0. */
  public static float value(int key) {
    return Float.intBitsToFloat(key ^ (key >> 31 & Integer.MAX_VALUE));
  }
}

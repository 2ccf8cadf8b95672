// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.reader.input.Place;

/**
 * The normalisation that a search plugin applies to a feature: {@code (x - offset) / divisor} in
 * float. The result increases with x, so a threshold for the result can be replaced by a threshold
 * for x.
 *
 * @param offset a finite number
 * @param divisor a positive and finite number
 */
record Normaliser(float offset, float divisor) {
  /** Returns the normaliser with these numbers, which were read at {@code place}. */
  static Normaliser of(Place place, float offset, float divisor) {
    if (!Float.isFinite(offset) || !(divisor > 0) || !Float.isFinite(divisor)) {
      throw place.failure(
          "normaliser: offset "
              + offset
              + ", divisor "
              + divisor
              + ", expected finite numbers and a divisor above 0");
    }
    return new Normaliser(offset, divisor);
  }

  public float apply(float x) {
    return (x - offset) / divisor;
  }

  /** Returns the largest float x with {@code apply(x) <= threshold}, found by bisection. */
  public float bound(float threshold) {
    int low = ordered(Float.NEGATIVE_INFINITY);
    int high = ordered(Float.POSITIVE_INFINITY);
    while (low < high) {
      int middle = (int) (((long) low + high + 1) >> 1);
      if (apply(ordered(middle)) <= threshold) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return ordered(low);
  }

  private static int ordered(float x) {
    int bits = Float.floatToRawIntBits(x);
    return bits ^ (bits >> 31 & Integer.MAX_VALUE);
  }

  private static float ordered(int key) {
    return Float.intBitsToFloat(key ^ (key >> 31 & Integer.MAX_VALUE));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Rewrites each trainer's comparison exactly to "left when value {@code <=} threshold", in float.
 *
 * <p>For a float x and a double t, {@code x <= t} decides as {@code x <= (largest float <= t)}, and
 * {@code x < t} as {@code x <= nextDown} of that bound when t is itself a float. Both zeros compare
 * equal, so a threshold of -0 becomes +0: thresholds can then be ordered by their bits.
 *
 * <p>{@code NaN} is returned if no value goes left ({@code x < -inf}); callers then build a split
 * on an empty {@link CategorySet}.
 */
public final class Thresholds {
  private Thresholds() {}

  /** Returns the float bound that decides {@code x <= threshold}. */
  public static float lessOrEqual(double threshold) {
    float nearest = (float) threshold;
    return positiveZero(nearest > threshold ? Math.nextDown(nearest) : nearest);
  }

  /** Returns the float bound that decides {@code x < threshold}; NaN for minus infinity. */
  public static float lessThan(double threshold) {
    float nearest = (float) threshold;
    if (nearest >= threshold) {
      return nearest == Float.NEGATIVE_INFINITY ? Float.NaN : positiveZero(Math.nextDown(nearest));
    }
    return positiveZero(nearest);
  }

  /**
   * Returns the float bound that decides {@code zeroed(x) <= threshold}, where {@code zeroed}
   * replaces every |x| up to {@link MissingValue#ZERO_BOUND} by 0, as LightGBM does before it walks
   * a tree.
   */
  public static float lessOrEqualZeroed(double threshold) {
    float bound = lessOrEqual(threshold);
    if (bound >= 0 && bound < MissingValue.ZERO_BOUND) {
      return MissingValue.ZERO_BOUND;
    }
    if (bound < 0 && bound >= -MissingValue.ZERO_BOUND) {
      return Math.nextDown(-MissingValue.ZERO_BOUND);
    }
    return bound;
  }

  private static float positiveZero(float value) {
    return value + 0f;
  }
}

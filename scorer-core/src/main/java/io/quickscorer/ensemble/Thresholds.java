// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Converts the thresholds of trainers, which use different comparisons, to float bounds. At a
 * bound, a value goes left if {@code value <= bound}. The result always equals that of the
 * trainer's comparison.
 *
 * <p>For a float x and a double t, {@code x <= t} is equivalent to {@code x <= bound}, where the
 * bound is the largest float that is at most t. {@code x < t} has the same bound, or the next
 * smaller float if t itself is a float. A bound of -0.0 becomes 0.0, which has the same results, so
 * that bounds can be ordered by their bits.
 *
 * <p>If no value can go left ({@code x < -infinity}), the result is NaN; callers then create a
 * split on an empty {@link CategorySet}.
 */
public final class Thresholds {
  private Thresholds() {}

  /** Returns the bound that is equivalent to the trainer's comparison {@code x <= threshold}. */
  public static float lessOrEqual(double threshold) {
    float nearest = (float) threshold;
    return positiveZero(nearest > threshold ? Math.nextDown(nearest) : nearest);
  }

  /**
   * Returns the bound that is equivalent to the trainer's comparison {@code x < threshold}; NaN if
   * the threshold is minus infinity.
   */
  public static float lessThan(double threshold) {
    float nearest = (float) threshold;
    if (nearest >= threshold) {
      return nearest == Float.NEGATIVE_INFINITY ? Float.NaN : positiveZero(Math.nextDown(nearest));
    }
    return positiveZero(nearest);
  }

  /**
   * Returns the bound that is equivalent to the trainer's comparison {@code zeroed(x) <=
   * threshold}. LightGBM's function {@code zeroed} replaces every x with |x| up to {@link
   * MissingValue#ZERO_BOUND} by 0.
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

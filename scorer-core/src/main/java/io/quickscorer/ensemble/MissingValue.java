// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Which values of a split's feature count as missing, and the child a missing value goes to.
 *
 * <p>NaN is always missing. Under the {@code ZERO_} kinds (LightGBM's {@code zero_as_missing}) so
 * is every x with {@code |x| <= }{@link #ZERO_BOUND}.
 */
public enum MissingValue {
  NAN_LEFT(true, false),
  NAN_RIGHT(false, false),
  ZERO_LEFT(true, true),
  ZERO_RIGHT(false, true);

  /** LightGBM's {@code kZeroThreshold}: magnitudes up to this count as zero. */
  public static final float ZERO_BOUND = 1e-35f;

  private final boolean left;
  private final boolean zero;

  MissingValue(boolean left, boolean zero) {
    this.left = left;
    this.zero = zero;
  }

  public static MissingValue of(boolean left, boolean zeroToo) {
    return zeroToo ? (left ? ZERO_LEFT : ZERO_RIGHT) : (left ? NAN_LEFT : NAN_RIGHT);
  }

  /** Returns whether a missing value goes to the left child. */
  public boolean left() {
    return left;
  }

  /** Returns whether zero is missing too. */
  public boolean zeroIsMissing() {
    return zero;
  }

  public boolean isMissing(float value) {
    return Float.isNaN(value) || (zero && Math.abs(value) <= ZERO_BOUND);
  }

  /** Returns this rule with the children exchanged. */
  public MissingValue swapped() {
    return of(!left, zero);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The rule of a split for missing values: which values count as missing, and to which child they
 * go.
 *
 * <p>NaN is always missing. The {@code ZERO_} rules (LightGBM's {@code zero_as_missing}) also treat
 * every x with {@code |x| <= }{@link #ZERO_BOUND} as missing.
 */
public enum MissingValue {
  NAN_LEFT(true, false),
  NAN_RIGHT(false, false),
  ZERO_LEFT(true, true),
  ZERO_RIGHT(false, true);

  /** LightGBM's {@code kZeroThreshold}: every x with {@code |x| <= ZERO_BOUND} counts as zero. */
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

  /** Returns whether zero also counts as a missing value. */
  public boolean zeroIsMissing() {
    return zero;
  }

  public boolean isMissing(float value) {
    return Float.isNaN(value) || (zero && Math.abs(value) <= ZERO_BOUND);
  }

  /** Returns the rule in which missing values go to the other child and nothing else changes. */
  public MissingValue swapped() {
    return of(!left, zero);
  }
}

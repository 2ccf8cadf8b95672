// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Computes a 64-bit key from several features of a document, as CatBoost does. The key consists of
 * elements in this order: the hashes of categories, whether numbers are above their bounds, and
 * whether categories are equal to those with the hashes {@code hashes}.
 *
 * <p>The arrays are not copied. Safe for use by several threads if no caller changes the arrays.
 *
 * @param categories the features whose categories are part of the key
 * @param numbers the features that are compared with bounds
 * @param bounds the bound of each element of {@code numbers}
 * @param missingIsAbove for each element of {@code numbers}, whether a missing value counts as
 *     above the bound
 * @param tested the features that are compared with one category each
 * @param hashes for each element of {@code tested}, the {@link CategoryHash} of the category
 */
public record FeatureCombination(
    int[] categories,
    int[] numbers,
    float[] bounds,
    boolean[] missingIsAbove,
    int[] tested,
    int[] hashes) {
  private static final long MULTIPLIER = 0x4906ba494954cb65L;

  /** Returns a 64-bit key that combines {@code key} and one more element. */
  public static long with(long key, long element) {
    return MULTIPLIER * (key + MULTIPLIER * element);
  }

  /**
   * Returns whether a value of the feature {@code numbers[i]} is above its bound, as an element of
   * the key: 1 if it is, otherwise 0.
   */
  public long above(int i, float value) {
    // Both comparisons are false for NaN.
    return (missingIsAbove[i] ? !(value <= bounds[i]) : value > bounds[i]) ? 1 : 0;
  }
}

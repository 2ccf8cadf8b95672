// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Computes a key of 64 bits from several values of a document: categories, whether numbers are
 * above bounds, whether categories equal given ones, in this order, as CatBoost combines them.
 *
 * <p>Thread-safe, provided that no caller changes the arrays, which are not copied.
 *
 * @param categories features whose categories are part of the key
 * @param numbers features that are compared with bounds
 * @param bounds per number its lower bound, exclusive
 * @param missingIsAbove per number, whether a missing value counts as above
 * @param tested features that are compared with one category
 * @param hashes per tested feature, the {@link CategoryHash} of that category
 */
public record FeatureCombination(
    int[] categories,
    int[] numbers,
    float[] bounds,
    boolean[] missingIsAbove,
    int[] tested,
    int[] hashes) {
  private static final long MULTIPLIER = 0x4906ba494954cb65L;

  /** Returns the key with one more element. */
  public static long with(long key, long element) {
    return MULTIPLIER * (key + MULTIPLIER * element);
  }

  /** Returns the element of the key for number i. */
  public long above(int i, float value) {
    // NaN is neither above nor at most the bound.
    return (missingIsAbove[i] ? !(value <= bounds[i]) : value > bounds[i]) ? 1 : 0;
  }
}

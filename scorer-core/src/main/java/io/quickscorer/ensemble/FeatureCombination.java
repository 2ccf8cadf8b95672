// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Some values of a document taken together as a key of 64 bits: categories, whether numbers are
 * above bounds, whether categories are certain ones, in this order, as CatBoost combines them.
 *
 * <p>Thread-safe: nobody changes the arrays, which are not copied.
 *
 * @param categories features whose categories are part of the key
 * @param numbers features that are compared with bounds
 * @param bounds per number, what it must be above
 * @param missingIsAbove per number, whether a missing value counts as above
 * @param tested features that are asked for a category
 * @param hashes per tested feature, the {@link CategoryHash} asked for
 */
public record FeatureCombination(
    int[] categories,
    int[] numbers,
    float[] bounds,
    boolean[] missingIsAbove,
    int[] tested,
    int[] hashes) {
  private static final long MULTIPLIER = 0x4906ba494954cb65L;

  /** The key with one more element. */
  public static long with(long key, long element) {
    return MULTIPLIER * (key + MULTIPLIER * element);
  }

  /** Returns the number that input i adds to the key. */
  public long above(int i, float value) {
    // NaN is neither above nor at most the bound.
    return (missingIsAbove[i] ? !(value <= bounds[i]) : value > bounds[i]) ? 1 : 0;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.engine.columns.SearchTree;
import io.quickscorer.ensemble.MissingValue;
import org.jspecify.annotations.Nullable;

/**
 * All predicates on one feature: the bitmaps that must be computed from its column of values.
 *
 * <p>A predicate (a test) is true for a document that goes right. The number of a predicate is also
 * the number of its bitmap. A feature's numbers are consecutive from {@link #first()}:
 *
 * <pre>
 *   first            first + n         first + n + m        end
 *   | x > pivot 0..n-1 | copies patched | category sets      |
 * </pre>
 *
 * <p>Pivots are the feature's distinct thresholds as {@linkplain FloatOrder#key order-preserving
 * ints}, ascending. A missing value gets a fixed rank r: it goes right at the first r pivots, and
 * left at the others. The rank is chosen so that it is correct for as many predicates as possible.
 * The other predicates, and those that also treat zero as missing, need a <i>patch</i>: the bits of
 * documents with missing values are set or cleared in the pivot's bitmap or, if another predicate
 * needs that bitmap, in a copy.
 *
 * <p>The arrays are not copies.
 *
 * @param feature the index of the feature
 * @param first the index of the feature's first predicate (test). Its other predicates follow
 * @param end the index of the feature's last predicate (test), plus 1
 * @param pivotKeys the distinct thresholds of the feature, as order-preserving ints, ascending
 * @param levels the thresholds, as order-preserving ints, in the layout of a {@link SearchTree}
 * @param missingRank the rank r of missing values: they go right at the r lowest thresholds, and
 *     left at others
 * @param patchSources for each patch (correction for missing values), the index of the bitmap that
 *     the patch reads
 * @param patchTargets for each patch, the index of the bitmap that the patch produces. If it is
 *     also the source, the patch changes the bitmap in place
 * @param patchRules the rule by which each patch corrects the bits of documents with missing values
 * @param zeroIsMissing whether at least one predicate of the feature treats zero as a missing value
 * @param categories the feature's predicates that test for categories; null if there are none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FeaturePredicates(
    int feature,
    int first,
    int end,
    int[] pivotKeys,
    int[] levels,
    int missingRank,
    int[] patchSources,
    int[] patchTargets,
    MissingValue[] patchRules,
    boolean zeroIsMissing,
    @Nullable CategoryClasses categories) {

  /**
   * Returns the number of bits of a rank. Ranks are 0 to {@code pivots}, the number of thresholds.
   */
  public static int rankBits(int pivots) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(pivots);
  }

  /** Returns the number of distinct thresholds of the feature. */
  public int pivots() {
    return pivotKeys.length;
  }

  /**
   * Returns the int that replaces a missing value when its rank is searched. The rank is the number
   * of thresholds below a value.
   */
  public int missingKey() {
    return missingRank < pivotKeys.length ? pivotKeys[missingRank] : Integer.MAX_VALUE;
  }

  /** Returns the number of patches: corrections of bitmaps for missing values. */
  public int patches() {
    return patchRules.length;
  }

  /** Returns the memory that these predicates take, in bytes. */
  public long bytes() {
    return 96
        + 4L * (pivotKeys.length + levels.length + 3L * patchRules.length)
        + (categories == null ? 0 : categories.bytes());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.engine.columns.SearchTree;
import io.quickscorer.ensemble.MissingValue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All predicates on one feature: which bitmaps its column of values has to be turned into.
 *
 * <p>A predicate tests for a document "does it go right?". Its number is the number of its bitmap.
 * The feature's predicates are numbered consecutively from {@link #first()}:
 *
 * <pre>
 *   first            first + n         first + n + m        end
 *   | x > pivot 0..n-1 | copies patched | category sets      |
 * </pre>
 *
 * <p>Pivots are the feature's distinct thresholds as {@linkplain FloatOrder#key order-preserving
 * ints}, ascending. A missing value is never compared: it takes a rank of its own, 0 to n, and goes
 * right of as many pivots; the one that suits most predicates. Where a model takes missing values
 * for 0, as LightGBM's often do, it suits all. A predicate that it does not suit, or for which zero
 * is missing too, is a patch: the pivot's bitmap with its missing documents set or cleared, in
 * place if no other predicate needs the bitmap, else in a copy.
 */
public final class FeaturePredicates {
  private final int feature;
  private final int first;
  private final int end;
  private final int[] pivots;
  private final int[] levels;
  private final int missingRank;
  private final int[] patchSources;
  private final int[] patchTargets;
  private final MissingValue[] patchRules;
  private final boolean zeroIsMissing;
  private final @Nullable CategoryClasses categories;

  FeaturePredicates(
      int feature,
      int first,
      int end,
      int[] pivots,
      int missingRank,
      int[] patchSources,
      int[] patchTargets,
      MissingValue[] patchRules,
      @Nullable CategoryClasses categories) {
    this.feature = feature;
    this.first = first;
    this.end = end;
    this.pivots = pivots;
    int bits = rankBits(pivots.length);
    this.levels = new int[SearchTree.length(bits)];
    SearchTree.write(pivots, bits, levels, 0);
    this.missingRank = missingRank;
    this.patchSources = patchSources;
    this.patchTargets = patchTargets;
    this.patchRules = patchRules;
    this.zeroIsMissing = Arrays.stream(patchRules).anyMatch(MissingValue::zeroIsMissing);
    this.categories = categories;
  }

  /** Returns the number of bits of a rank among n pivots, which is in [0, n]. */
  public static int rankBits(int pivots) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(pivots);
  }

  /** Returns the feature's column in the matrix. */
  public int feature() {
    return feature;
  }

  /** Returns the number of the feature's first predicate. */
  public int first() {
    return first;
  }

  /** Returns one past the number of the feature's last predicate. */
  public int end() {
    return end;
  }

  /** Returns the number of distinct thresholds. */
  public int pivots() {
    return pivots.length;
  }

  /** Returns the pivots as a {@link SearchTree}; not a copy. */
  public int[] levels() {
    return levels;
  }

  /**
   * Returns the rank of a missing value, 0 to {@link #pivots()}: it goes right at this many pivots.
   */
  public int missingRank() {
    return missingRank;
  }

  /** Returns an ordered int that has this rank and is searched for in place of a missing value. */
  public int missingKey() {
    return missingRank < pivots.length ? pivots[missingRank] : Integer.MAX_VALUE;
  }

  /** Returns the number of bitmaps that are computed from pivots' bitmaps, in this order. */
  public int patches() {
    return patchRules.length;
  }

  public int patchSource(int patch) {
    return patchSources[patch];
  }

  public int patchTarget(int patch) {
    return patchTargets[patch];
  }

  public MissingValue patchRule(int patch) {
    return patchRules[patch];
  }

  /** Returns whether a patch also applies to zeros. */
  public boolean zeroIsMissing() {
    return zeroIsMissing;
  }

  /** Returns the categorical predicates, or null if there are none. */
  public @Nullable CategoryClasses categories() {
    return categories;
  }

  public long bytes() {
    return 96
        + 4L * (pivots.length + levels.length + 3L * patchRules.length)
        + (categories == null ? 0 : categories.bytes());
  }
}

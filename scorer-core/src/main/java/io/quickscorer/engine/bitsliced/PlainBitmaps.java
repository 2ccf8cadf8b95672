// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.ensemble.MissingValue;
import java.util.Arrays;

/**
 * Phase 1 without vectors, 64 documents at a time.
 *
 * <p>Each document's rank among the feature's pivots is found by a search without branches; its bit
 * is entered under its rank; then a running OR from the highest rank down gives the bitmaps of
 * "value &gt; pivot":
 *
 * <pre>
 *   documents of rank      0    1    2    3          (three pivots)
 *                               |    |    |
 *   running OR             &lt;---- OR &lt;- OR &lt;-
 *                               |    |    |
 *   bitmap of pivot             0    1    2
 * </pre>
 *
 * <p>Whether a value is missing is arithmetic, too. As two comparisons of one int it was once
 * compiled wrongly, by C2, and a tiny value taken for NaN: see {@code docs/jit-defects.md}.
 */
final class PlainBitmaps implements BitmapKernel {
  private static final int ZERO_BOUND_BITS = Float.floatToRawIntBits(MissingValue.ZERO_BOUND);
  private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  @Override
  public void build(
      float[] values,
      int from,
      int documents,
      FeaturePredicates predicates,
      int words,
      long[] bitmaps,
      BlockBuffers buffers) {
    for (int word = 0; 64 * word < documents; word++) {
      int start = from + 64 * word;
      int count = Math.min(64, documents - 64 * word);
      if (predicates.pivots() > 0) {
        rank(values, start, count, predicates, buffers);
        accumulate(predicates, words, word, bitmaps, buffers.ranks);
      }
    }
    patch(values, from, documents, predicates, words, bitmaps, buffers);
    categories(values, from, documents, predicates, words, bitmaps, buffers);
  }

  /** Enters each document's bit under its rank in {@code buffers.ranks}. */
  private static void rank(
      float[] values, int from, int count, FeaturePredicates predicates, BlockBuffers buffers) {
    int[] levels = predicates.levels();
    int[] keys = buffers.keys;
    int[] prefixes = buffers.prefixes;
    for (int d = 0; d < count; d++) {
      keys[d] = FloatOrder.key(values[from + d]);
      prefixes[d] = 1;
    }
    for (int level = FeaturePredicates.rankBits(predicates.pivots()); level > 0; level--) {
      descend(levels, keys, prefixes, count);
    }
    int lowest = 1 << FeaturePredicates.rankBits(predicates.pivots());
    int missingRank = predicates.missingRank();
    long[] ranks = buffers.ranks;
    for (int d = 0; d < count; d++) {
      int rank = prefixes[d] - lowest;
      rank ^= (rank ^ missingRank) & -isNaN(magnitude(values[from + d]));
      ranks[rank] |= 1L << d;
    }
  }

  /** Performs one comparison of every document; see {@link FeaturePredicates#levels}. */
  private static void descend(int[] levels, int[] keys, int[] prefixes, int count) {
    for (int d = 0; d < count; d++) {
      int prefix = prefixes[d];
      // The sign of the difference, not a branch: the outcome cannot be predicted.
      int greater = (int) ((long) levels[prefix] - keys[d] >>> 63);
      prefixes[d] = 2 * prefix + greater;
    }
  }

  private static void accumulate(
      FeaturePredicates predicates, int words, int word, long[] bitmaps, long[] ranks) {
    long higher = 0;
    int bitmap = (predicates.first() + predicates.pivots() - 1) * words + word;
    for (int rank = predicates.pivots(); rank > 0; rank--, bitmap -= words) {
      higher |= ranks[rank];
      ranks[rank] = 0;
      bitmaps[bitmap] = higher;
    }
    ranks[0] = 0;
  }

  /** Returns an int with the order of the absolute values, NaN above all; never negative. */
  private static int magnitude(float value) {
    return Float.floatToRawIntBits(value) & Integer.MAX_VALUE;
  }

  /** Returns 1 or 0: the sign of a difference that cannot overflow. */
  private static int isNaN(int magnitude) {
    return INFINITY_BITS - magnitude >>> 31;
  }

  /** Returns 1 or 0. */
  private static int isZero(int magnitude) {
    return magnitude - ZERO_BOUND_BITS - 1 >>> 31;
  }

  /** Sets one word of the bitmap of NaN values, then of the bitmap of NaN or zero values. */
  private static void missing(
      float[] values, int from, int count, int words, int word, long[] missing) {
    long nan = 0;
    long zero = 0;
    for (int d = 0; d < count; d++) {
      int magnitude = magnitude(values[from + d]);
      nan |= (long) isNaN(magnitude) << d;
      zero |= (long) isZero(magnitude) << d;
    }
    missing[word] = nan;
    missing[words + word] = nan | zero;
  }

  /**
   * Computes the bitmaps of predicates that treat missing values differently. Each is a pivot's
   * bitmap in which the bits of missing documents are set or cleared.
   */
  public static void patch(
      float[] values,
      int from,
      int documents,
      FeaturePredicates predicates,
      int words,
      long[] bitmaps,
      BlockBuffers buffers) {
    if (predicates.patches() == 0) {
      return;
    }
    // Most blocks have no missing value, and most patches are in place: nothing is to be done.
    boolean any = anyMissing(values, from, documents, predicates.zeroIsMissing());
    long[] missing = buffers.missing;
    if (any) {
      for (int word = 0; 64 * word < documents; word++) {
        int count = Math.min(64, documents - 64 * word);
        missing(values, from + 64 * word, count, words, word, missing);
      }
    } else {
      Arrays.fill(missing, 0, 2 * words, 0);
    }
    for (int patch = 0; patch < predicates.patches(); patch++) {
      int source = predicates.patchSource(patch) * words;
      int target = predicates.patchTarget(patch) * words;
      if (any || source != target) {
        MissingValue rule = predicates.patchRule(patch);
        int which = rule.zeroIsMissing() ? words : 0;
        if (rule.left()) {
          for (int w = 0; w < words; w++) {
            bitmaps[target + w] = bitmaps[source + w] & ~missing[which + w];
          }
        } else {
          for (int w = 0; w < words; w++) {
            bitmaps[target + w] = bitmaps[source + w] | missing[which + w];
          }
        }
      }
    }
  }

  /** Returns whether any value is NaN, or, with {@code zero}, is NaN or zero. */
  private static boolean anyMissing(float[] values, int from, int documents, boolean zero) {
    int bound = zero ? ZERO_BOUND_BITS : -1;
    int any = 0;
    for (int d = 0; d < documents; d++) {
      int magnitude = magnitude(values[from + d]);
      any |= INFINITY_BITS - magnitude | magnitude - bound - 1;
    }
    return any < 0;
  }

  /** Computes the bitmaps of the categorical predicates. */
  public static void categories(
      float[] values,
      int from,
      int documents,
      FeaturePredicates predicates,
      int words,
      long[] bitmaps,
      BlockBuffers buffers) {
    CategoryClasses categories = predicates.categories();
    if (categories != null) {
      for (int word = 0; 64 * word < documents; word++) {
        int count = Math.min(64, documents - 64 * word);
        categories.fill(values, from + 64 * word, count, bitmaps, words, word, buffers.square);
      }
    }
  }
}

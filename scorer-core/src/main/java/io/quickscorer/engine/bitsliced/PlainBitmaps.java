// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.FeaturePredicates;
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
public final class PlainBitmaps implements BitmapKernel {
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
    int rankBits = FeaturePredicates.rankBits(predicates.pivots());
    int[] prefixes = buffers.prefixes;
    for (int d = 0; d < count; d += 4) {
      search4(values, from + d, levels, rankBits, prefixes, d);
    }
    int lowest = 1 << rankBits;
    int missingRank = predicates.missingRank();
    long[] ranks = buffers.ranks;
    for (int d = 0; d < count; d++) {
      int rank = prefixes[d] - lowest;
      rank ^= (rank ^ missingRank) & -isNaN(magnitude(values[from + d]));
      ranks[rank] |= 1L << d;
    }
  }

  /**
   * Searches for the ranks of four documents at once, see {@link FeaturePredicates#levels}. Which
   * pivot is greater is the sign of a difference, not a branch: the outcome cannot be predicted.
   * The length of the tree of pivots is a power of two, so that a masked index needs no check.
   */
  private static void search4(
      float[] values, int from, int[] levels, int rankBits, int[] prefixes, int to) {
    int mask = levels.length - 1;
    long key0 = FloatOrder.key(values[from]);
    long key1 = FloatOrder.key(values[from + 1]);
    long key2 = FloatOrder.key(values[from + 2]);
    long key3 = FloatOrder.key(values[from + 3]);
    int prefix0 = 1;
    int prefix1 = 1;
    int prefix2 = 1;
    int prefix3 = 1;
    for (int level = 0; level < rankBits; level++) {
      prefix0 = 2 * prefix0 + (int) (levels[prefix0 & mask] - key0 >>> 63);
      prefix1 = 2 * prefix1 + (int) (levels[prefix1 & mask] - key1 >>> 63);
      prefix2 = 2 * prefix2 + (int) (levels[prefix2 & mask] - key2 >>> 63);
      prefix3 = 2 * prefix3 + (int) (levels[prefix3 & mask] - key3 >>> 63);
    }
    prefixes[to] = prefix0;
    prefixes[to + 1] = prefix1;
    prefixes[to + 2] = prefix2;
    prefixes[to + 3] = prefix3;
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

  /** Ordered as the absolute values are, NaN above all; never negative. */
  private static int magnitude(float value) {
    return Float.floatToRawIntBits(value) & Integer.MAX_VALUE;
  }

  /** 1 or 0: the sign of a difference that cannot overflow. */
  private static int isNaN(int magnitude) {
    return INFINITY_BITS - magnitude >>> 31;
  }

  /** 1 or 0. */
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

  /** Makes the patched bitmaps from the pivots' ones. */
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

  /** Whether any value is NaN, or with {@code zero} is NaN or zero. */
  private static boolean anyMissing(float[] values, int from, int documents, boolean zero) {
    int bound = zero ? ZERO_BOUND_BITS : -1;
    int any = 0;
    for (int d = 0; d < documents; d++) {
      int magnitude = magnitude(values[from + d]);
      any |= INFINITY_BITS - magnitude | magnitude - bound - 1;
    }
    return any < 0;
  }

  /** Makes the bitmaps of the categorical predicates. */
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

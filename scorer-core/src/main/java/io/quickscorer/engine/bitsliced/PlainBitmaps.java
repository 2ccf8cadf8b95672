// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.ensemble.MissingValue;
import java.util.Arrays;

/**
 * Phase 1 of {@link BitProgram} without vectors, 64 documents at a time.
 *
 * <p>A search finds each document's rank among the feature's pivots, and sets the document's bit in
 * the bitmap of that rank. Then a running OR computes the bitmaps of "value &gt; pivot":
 *
 * <pre>
 *   documents of rank      0    1    2    3          (three pivots)
 *                               |    |    |
 *   running OR             &lt;---- OR &lt;- OR &lt;-
 *                               |    |    |
 *   bitmap of pivot             0    1    2
 * </pre>
 *
 * <p>Missing values are found by arithmetic without comparisons, because the JIT compiler C2
 * compiled two comparisons of an int wrongly: see {@code docs/jit-defects.md}.
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

  /**
   * Finds the rank of each document's value (the number of thresholds below it), and sets the
   * document's bit in {@code buffers.ranks}.
   */
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

  /** Moves each value one level down the search tree: compares it with one threshold. */
  private static void descend(int[] levels, int[] keys, int[] prefixes, int count) {
    for (int d = 0; d < count; d++) {
      int prefix = prefixes[d];
      // Uses the sign of the difference instead of a branch, which the CPU could not predict.
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

  /** Returns a float's absolute value as an int that compares like it; the largest int for NaN. */
  private static int magnitude(float value) {
    return Float.floatToRawIntBits(value) & Integer.MAX_VALUE;
  }

  /**
   * Returns 1 if an absolute value from {@link #magnitude} is NaN, otherwise 0. Compares nothing,
   * because of a JIT defect: see {@code docs/jit-defects.md}.
   */
  private static int isNaN(int magnitude) {
    return INFINITY_BITS - magnitude >>> 31;
  }

  /**
   * Returns 1 if an absolute value from {@link #magnitude} counts as zero, otherwise 0. Compares
   * nothing, because of a JIT defect: see {@code docs/jit-defects.md}.
   */
  private static int isZero(int magnitude) {
    return magnitude - ZERO_BOUND_BITS - 1 >>> 31;
  }

  /** Writes two bitmaps of 64 documents: the documents with NaN, and those with NaN or zero. */
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

  /** Corrects the bits of documents with missing values in the predicates' bitmaps. */
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
    // Without missing values, only corrected copies need work.
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
      int source = predicates.patchSources()[patch] * words;
      int target = predicates.patchTargets()[patch] * words;
      if (any || source != target) {
        MissingValue rule = predicates.patchRules()[patch];
        int offset = rule.zeroIsMissing() ? words : 0;
        if (rule.left()) {
          for (int w = 0; w < words; w++) {
            bitmaps[target + w] = bitmaps[source + w] & ~missing[offset + w];
          }
        } else {
          for (int w = 0; w < words; w++) {
            bitmaps[target + w] = bitmaps[source + w] | missing[offset + w];
          }
        }
      }
    }
  }

  /** Returns whether any value is NaN or, if {@code zero} is true, zero. */
  private static boolean anyMissing(float[] values, int from, int documents, boolean zero) {
    int bound = zero ? ZERO_BOUND_BITS : -1;
    int any = 0;
    for (int d = 0; d < documents; d++) {
      int magnitude = magnitude(values[from + d]);
      any |= INFINITY_BITS - magnitude | magnitude - bound - 1;
    }
    return any < 0;
  }

  /** Computes the bitmaps of the predicates on a categorical feature. */
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.engine.columns.SearchTree;
import java.util.Arrays;

/**
 * The buffers for a block of documents. A kernel with narrower bitmaps uses only a part of them.
 */
final class BlockBuffers {
  /** Maximum number of words that a kernel may write after the last bitmap. */
  static final int SLACK = 16;

  /** The bitmaps of all predicates. */
  public final long[] bitmaps;

  /** The regions of the tree being processed. */
  public final long[] regions;

  /** The code planes of a group of trees, which become its leaf codes. */
  public final long[] codes;

  /** Each document's sum in double; the {@link LeafSums} decides the order. */
  public final double[] sums;

  /** Each document's sum in float, for {@link SimdFloatSums}. */
  public final float[] floatSums;

  /** The {@link FloatOrder#key} of each value of one feature in a block. */
  public final int[] keys;

  /**
   * For each document, the outcomes of the comparisons so far in the search for its rank; they form
   * an index into a {@link SearchTree}.
   */
  public final int[] prefixes;

  /** Eight bit planes of the ranks in a block; a short has the bits of 16 documents. */
  public final short[] planes;

  /**
   * The bitmap of the documents whose value is NaN, followed by that of the documents whose value
   * is NaN or zero.
   */
  public final long[] missing;

  /** A square of 64 x 64 bits, or eight planes of ranks, each repeated to fill a vector. */
  public final long[] square = new long[64];

  /** For each rank, the bitmap of the documents with this rank; all 0 between uses. */
  public final long[] ranks;

  /**
   * Bitmaps of the conditions "the lower bits of the rank are at least r", for {@link
   * SimdRankBitmaps}.
   */
  public final long[] lowRanks;

  private final int maxWords;
  private final int none;
  private int words;

  BlockBuffers(BitProgram program, int maxWords) {
    this.maxWords = maxWords;
    this.none = program.none();
    int documents = 64 * maxWords;
    int codeBytes = 1;
    for (int group = 0; group < program.groups(); group++) {
      codeBytes = Math.max(codeBytes, program.codeBytes(group));
    }
    bitmaps = new long[Math.multiplyExact(program.none() + 1, maxWords)];
    regions = new long[program.regions() * maxWords];
    codes = new long[BitProgram.GROUP * 8 * codeBytes * maxWords];
    sums = new double[documents];
    floatSums = new float[documents];
    keys = new int[documents];
    prefixes = new int[documents];
    planes = new short[8 * 4 * maxWords];
    missing = new long[2 * maxWords];
    int maxPivots = 0;
    for (FeaturePredicates feature : program.features()) {
      maxPivots = Math.max(maxPivots, feature.pivots());
    }
    ranks = new long[maxPivots + 1];
    lowRanks = new long[128 * maxWords + SLACK];
  }

  /** Returns the number of words of the widest bitmap that fits into these buffers. */
  int maxWords() {
    return maxWords;
  }

  /** Fills the constant bitmap and the constant regions for bitmaps of {@code words} words. */
  void use(int words) {
    if (this.words != words) {
      this.words = words;
      Arrays.fill(bitmaps, none * words, (none + 1) * words, 0L);
      Arrays.fill(regions, BitProgram.ALL * words, (BitProgram.ALL + 1) * words, -1L);
      Arrays.fill(regions, BitProgram.NONE * words, (BitProgram.NONE + 1) * words, 0L);
    }
  }

  long bytes() {
    return 8L
            * (bitmaps.length
                + regions.length
                + codes.length
                + sums.length
                + missing.length
                + square.length
                + ranks.length
                + lowRanks.length)
        + 4L * (floatSums.length + keys.length + prefixes.length)
        + 2L * planes.length;
  }
}

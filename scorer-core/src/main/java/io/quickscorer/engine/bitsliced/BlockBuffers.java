// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import java.util.Arrays;

/** The buffers with which one thread scores a block of documents. */
final class BlockBuffers {
  /** Number of 64-bit words after the last bitmap that kernels may overwrite. */
  static final int SLACK = 16;

  /** The bitmaps of all predicates (tests of features), one bit per document. */
  public final long[] bitmaps;

  /** For each node of the current tree, the bitmap of the documents that reach it. */
  public final long[] regions;

  /**
   * For a group of trees, the codes of the leaves that documents reach; see {@link
   * TreeKernel#leafCodes}.
   */
  public final long[] codes;

  /** The sum of each document in double, in an order that depends on the {@link LeafSums}. */
  public final double[] sums;

  /** The sum of each document in float, used by {@link SimdFloatSums}. */
  public final float[] floatSums;

  /** The values of the current feature, converted to ints that compare like the floats. */
  public final int[] keys;

  /**
   * For each document, the position of its search in the {@link
   * io.quickscorer.engine.columns.SearchTree}: a 1 bit, followed by the bits of the rank that are
   * already known. The rank is the number of thresholds below the document's value.
   */
  public final int[] prefixes;

  /**
   * The bits of all documents' ranks: first bit 0 of all ranks, then bit 1 and so on. A short has
   * the bits of 16 documents. A rank is the number of thresholds below a document's value.
   */
  public final short[] planes;

  /** The bitmap of the documents with NaN, then the bitmap of the documents with NaN or zero. */
  public final long[] missing;

  /**
   * Working memory: a square of 64 x 64 bits, or the bit planes of the ranks. Plane k has bit k of
   * all documents' ranks. A rank is the number of thresholds below a document's value.
   */
  public final long[] square = new long[64];

  /**
   * For each rank, the bitmap of the documents with this rank; all 0 between uses. A rank is the
   * number of thresholds below a document's value.
   */
  public final long[] ranks;

  /**
   * Working memory of {@link SimdRankBitmaps}. Bitmap r has the documents for which the number in
   * the lower bits of the rank is at least r. The rank is the number of thresholds below the value.
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

  /** Returns the number of 64-bit words of the widest bitmap that fits into these buffers. */
  int maxWords() {
    return maxWords;
  }

  /** Prepares the buffers for bitmaps of {@code words} 64-bit words. */
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

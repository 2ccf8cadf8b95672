// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import java.util.Arrays;

/** The buffers of a block of documents; kernels narrower than the buffers use a part. */
final class BlockBuffers {
  /** Words a kernel may write past the last bitmap. */
  static final int SLACK = 16;

  /** The predicates' bitmaps. */
  public final long[] bitmaps;

  /** The regions of the tree being processed. */
  public final long[] regions;

  /** The leaf codes of a group; before that its code planes. */
  public final long[] codes;

  /** Sums in the order of the {@link LeafSums}. */
  public final double[] sums;

  /** The sums of scores if sums are floats. */
  public final float[] floatSums;

  /** A block's values of one feature as ordered ints. */
  public final int[] keys;

  /** Outcomes so far of each document's search for its rank. */
  public final int[] prefixes;

  /** Eight bit planes of a block's ranks: 16 documents a short. */
  public final short[] planes;

  /** Bitmaps of the documents whose value is NaN, or is NaN or zero. */
  public final long[] missing;

  /** 64 x 64 bits, or eight planes repeated to a whole vector. */
  public final long[] square = new long[64];

  /** By rank: the documents of that rank; all 0 between uses. */
  public final long[] ranks;

  /** Bitmaps of conditions on a rank's lower bits. */
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

  /** Returns the number of words of the widest bitmap that fits. */
  int maxWords() {
    return maxWords;
  }

  /** Prepares the constant regions for bitmaps of this many words. */
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

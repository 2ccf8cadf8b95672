// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Computes the bitmaps of predicates with vectors. {@link Ranks} finds the ranks of values, with
 * one comparison per bit of the rank. {@link Expansion} computes the bitmaps from the ranks.
 */
final class VectorBitmaps implements BitmapKernel {
  /**
   * Number of longs from one bit plane to the next in {@link BlockBuffers#square}. Plane k has bit
   * k of all ranks.
   */
  static final int STRIDE = 8;

  /**
   * Maximum number of thresholds of a feature. A rank, from 0 to this number, fits into eight bits.
   */
  static final int MAX_PIVOTS = 255;

  /**
   * Finds the rank of each value: the number of a feature's thresholds below it. Safe for use by
   * several threads.
   */
  interface Ranks {
    /**
     * Finds the rank of each value of a block: the number of thresholds that are less than the
     * value. A missing value has the rank {@link FeaturePredicates#missingRank}. The feature must
     * have 1 to {@link #MAX_PIVOTS} thresholds.
     *
     * @param from the index of the block's first value; values are padded as for {@link
     *     BitmapKernel}
     * @param words the number of longs of a bit plane (plane k has bit k of all documents' ranks)
     * @param buffers receives the bit planes in {@link BlockBuffers#square}; plane k starts at
     *     {@code k * STRIDE}
     */
    void find(
        float[] values,
        int from,
        int documents,
        FeaturePredicates predicates,
        int words,
        BlockBuffers buffers);
  }

  /**
   * Computes bitmaps of predicates from ranks (a rank is the number of thresholds below a value).
   * Safe for use by several threads.
   */
  interface Expansion {
    /**
     * For each r from 0 to {@code pivots - 1}, computes the bitmap of the documents whose rank is
     * above r. May overwrite a few longs after the last bitmap.
     *
     * @param rankBits the number of bits of a rank; {@link Ranks#find} explains the layout
     * @param words the number of longs of a bitmap, at most as many as in a vector
     * @param to the index of the first bitmap in {@code bitmaps}
     */
    void expand(int rankBits, int words, BlockBuffers buffers, int pivots, long[] bitmaps, int to);
  }

  private final Ranks ranks;
  private final Expansion expansion;
  private final PlainBitmaps plain = new PlainBitmaps();

  VectorBitmaps(Ranks ranks, Expansion expansion) {
    this.ranks = ranks;
    this.expansion = expansion;
  }

  @Override
  public void build(
      float[] values,
      int from,
      int documents,
      FeaturePredicates predicates,
      int words,
      long[] bitmaps,
      BlockBuffers buffers) {
    int pivots = predicates.pivots();
    if (pivots > MAX_PIVOTS) {
      plain.build(values, from, documents, predicates, words, bitmaps, buffers);
      return;
    }
    if (pivots > 0) {
      ranks.find(values, from, documents, predicates, words, buffers);
      int rankBits = FeaturePredicates.rankBits(pivots);
      expansion.expand(rankBits, words, buffers, pivots, bitmaps, predicates.first() * words);
      PlainBitmaps.patch(values, from, documents, predicates, words, bitmaps, buffers);
    }
    PlainBitmaps.categories(values, from, documents, predicates, words, bitmaps, buffers);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Phase 1 of the bit-sliced scorer on vectors: {@link Ranks} finds the bits of the documents'
 * ranks, {@link Expansion} makes the predicates' bitmaps of them. Neither compares a value with a
 * pivot more than once for each bit of its rank.
 */
final class VectorBitmaps implements BitmapKernel {
  /** Longs from one plane of ranks to the next in {@link BlockBuffers#square}. */
  static final int STRIDE = 8;

  /** Most pivots whose ranks fit the planes. */
  static final int MAX_PIVOTS = 255;

  /** Converts values to planes. Safe for several threads. */
  interface Ranks {
    /**
     * Ranks a block's values among a feature's pivots, 1 to {@link #MAX_PIVOTS}: how many of them a
     * value exceeds. Missing values have the rank that the feature wants.
     *
     * @param from index of the block's first value; padded as for {@link BitmapKernel}
     * @param words longs of a plane
     * @param buffers receives in {@link BlockBuffers#square}, from {@code k * STRIDE} on, bit k of
     *     the documents' ranks
     */
    void find(
        float[] values,
        int from,
        int documents,
        FeaturePredicates predicates,
        int words,
        BlockBuffers buffers);
  }

  /** Converts planes to bitmaps. Safe for several threads. */
  interface Expansion {
    /**
     * Writes the bitmaps of "rank &gt; 0", "rank &gt; 1" and so on, up to "rank &gt; pivots - 1". A
     * few longs after the last bitmap may be overwritten.
     *
     * @param rankBits number of planes, laid out as by {@link Ranks}
     * @param words longs of a bitmap, at most the longs of a vector
     * @param to index of the first bitmap in {@code bitmaps}
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

package io.quickscorer.scorer.vector;

import io.quickscorer.scorer.bitsliced.BitmapKernel;
import io.quickscorer.scorer.bitsliced.BlockBuffers;
import io.quickscorer.scorer.bitsliced.FeaturePredicates;
import io.quickscorer.scorer.bitsliced.PlainBitmaps;

/**
 * Phase 1 of the bit-sliced scorer on 512-bit vectors: {@link RankPlanes} finds the bits of the
 * documents' ranks, {@link RankBitmaps} makes the predicates' bitmaps of them. Neither compares a
 * value with a pivot more than once for each bit of its rank.
 */
final class PermuteBitmaps implements BitmapKernel {
  /** Most pivots that permutes can search. */
  private static final int MAX_PIVOTS = 255;

  private final PlainBitmaps plain = new PlainBitmaps();

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
      int rankBits = FeaturePredicates.rankBits(pivots);
      int groups = (documents + 15) >>> 4;
      boolean missing =
          RankPlanes.find(values, from, groups, predicates.levels(), rankBits, words, buffers);
      if (missing) {
        RankPlanes.replaceMissing(rankBits, words, predicates.missingRight(), buffers);
      }
      RankBitmaps.expand(rankBits, words, buffers, pivots, bitmaps, predicates.first() * words);
      PlainBitmaps.patch(values, from, documents, predicates, words, bitmaps, buffers);
    }
    PlainBitmaps.categories(values, from, documents, predicates, words, bitmaps, buffers);
  }
}

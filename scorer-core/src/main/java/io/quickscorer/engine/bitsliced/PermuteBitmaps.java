// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.FeaturePredicates;

/**
 * Phase 1 of the bit-sliced scorer on 512-bit vectors: {@link SimdRankPlanes} finds the bits of the
 * documents' ranks, {@link SimdRankBitmaps} makes the predicates' bitmaps of them. Neither compares
 * a value with a pivot more than once for each bit of its rank.
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
          SimdRankPlanes.find(values, from, groups, predicates.levels(), rankBits, words, buffers);
      if (missing) {
        SimdRankPlanes.replaceMissing(rankBits, words, predicates.missingRank(), buffers);
      }
      SimdRankBitmaps.expand(rankBits, words, buffers, pivots, bitmaps, predicates.first() * words);
      if (predicates.patches() > 0) {
        SimdRankPlanes.missing(values, from, documents, words, buffers.missing);
        PlainBitmaps.patch(documents, predicates, words, bitmaps, buffers.missing);
      }
    }
    PlainBitmaps.categories(values, from, documents, predicates, words, bitmaps, buffers);
  }
}

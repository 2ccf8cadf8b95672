// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Expands bit planes of ranks to the bitmaps "rank is at least 1, 2, ..., n", without comparing
 * anything: one AND or OR a bitmap.
 *
 * <p>Let {@code low[r]} be "the lowest d bits of the rank make at least r", 0 &lt; r &lt; h = 2^d.
 * With the next bit b, of weight h:
 *
 * <pre>
 *   at least r       =  low[r] or b        0 &lt; r &lt; h
 *   at least h       =  b
 *   at least h + r   =  low[r] and b       0 &lt; r &lt; h
 * </pre>
 *
 * <p>So each bit doubles the number of bitmaps; the last one writes straight to the predicates'. A
 * bitmap may be narrower than a vector: then several stand in one, and the plane is repeated to
 * fill another.
 */
final class SimdRankBitmaps {
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final int LANES = 8;

  private SimdRankBitmaps() {}

  /**
   * Writes the bitmaps "rank &gt; 0" to "rank &gt; pivots - 1". Up to 7 longs past the last one may
   * be overwritten.
   *
   * @param to index of the first one in {@code bitmaps}
   */
  static void expand(
      int rankBits, int words, BlockBuffers buffers, int pivots, long[] bitmaps, int to) {
    long[] planes = buffers.square;
    repeatPlanes(buffers.planes, rankBits, words, planes);
    if (rankBits == 1) {
      System.arraycopy(planes, 0, bitmaps, to, words);
      return;
    }
    long[] low = buffers.lowRanks;
    System.arraycopy(planes, 0, low, 0, words);
    for (int bit = 1; bit < rankBits - 1; bit++) {
      int half = words << bit;
      if (half < LANES) {
        doubleWords(low, half, planes, bit * LANES);
      } else {
        doubleVectors(low, half, planes, bit * LANES);
      }
      System.arraycopy(planes, bit * LANES, low, half - words, words);
    }
    finish(low, words << rankBits - 1, planes, (rankBits - 1) * LANES, pivots * words, bitmaps, to);
    System.arraycopy(
        planes, (rankBits - 1) * LANES, bitmaps, to + (words << rankBits - 1) - words, words);
  }

  /** Packs each plane's shorts to longs and repeats them until a vector is full. */
  private static void repeatPlanes(short[] shorts, int rankBits, int words, long[] planes) {
    for (int plane = 0; plane < rankBits; plane++) {
      int to = plane * LANES;
      for (int w = 0; w < words; w++) {
        int from = (plane * words + w) * 4;
        planes[to + w] =
            shorts[from] & 0xFFFFL
                | (shorts[from + 1] & 0xFFFFL) << 16
                | (shorts[from + 2] & 0xFFFFL) << 32
                | (long) shorts[from + 3] << 48;
      }
      for (int w = words; w < LANES; w++) {
        planes[to + w] = planes[to + w - words];
      }
    }
  }

  /** One bit more, while all bitmaps so far are less than a vector. */
  private static void doubleWords(long[] low, int half, long[] planes, int plane) {
    for (int i = 0; i < half; i++) {
      long bits = low[i];
      low[half + i] = bits & planes[plane + i];
      low[i] = bits | planes[plane + i];
    }
  }

  /** One bit more: from {@code half} longs of bitmaps to twice as many. */
  private static void doubleVectors(long[] low, int half, long[] planes, int plane) {
    LongVector bit = LongVector.fromArray(LONGS, planes, plane);
    for (int i = 0; i < half; i += LANES) {
      LongVector bits = LongVector.fromArray(LONGS, low, i);
      bits.lanewise(VectorOperators.AND, bit).intoArray(low, half + i);
      bits.lanewise(VectorOperators.OR, bit).intoArray(low, i);
    }
  }

  /** The last bit: {@code all} longs of bitmaps, of which the lower {@code half} needs no bit. */
  private static void finish(
      long[] low, int half, long[] planes, int plane, int all, long[] bitmaps, int to) {
    LongVector bit = LongVector.fromArray(LONGS, planes, plane);
    for (int i = 0; i < half; i += LANES) {
      LongVector.fromArray(LONGS, low, i)
          .lanewise(VectorOperators.OR, bit)
          .intoArray(bitmaps, to + i);
    }
    for (int i = 0; i < all - half; i += LANES) {
      LongVector.fromArray(LONGS, low, i)
          .lanewise(VectorOperators.AND, bit)
          .intoArray(bitmaps, to + half + i);
    }
  }
}

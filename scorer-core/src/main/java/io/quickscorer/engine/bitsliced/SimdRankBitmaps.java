// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.simd.SimdSpecies;
import io.quickscorer.engine.simd.Specialized;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes the bitmaps "the rank is at least 1", ..., "at least n" from the bits of the ranks, with
 * one AND or OR per bitmap.
 *
 * <p>Let {@code low[r]} be the bitmap "the lowest d bits of the rank are at least r", for 0 &lt; r
 * &lt; h = 2^d. The next bit b of the rank has the weight h. Then:
 *
 * <pre>
 *   at least r       =  low[r] or b        0 &lt; r &lt; h
 *   at least h       =  b
 *   at least h + r   =  low[r] and b       0 &lt; r &lt; h
 * </pre>
 *
 * <p>So each bit doubles the number of bitmaps. If a bitmap is narrower than a vector, a vector
 * contains several bitmaps, and the bits of the ranks are repeated to fill it. Each vector width
 * has its own copy of this class, see {@link Specialized}.
 */
final class SimdRankBitmaps implements VectorBitmaps.Expansion {
  private static final VectorSpecies<Long> LONGS =
      SimdSpecies.longs(SimdSpecies.bits(MethodHandles.lookup()));
  private static final Class<? extends Vector<Long>> TYPE = LONGS.vectorType();
  private static final int LANES = LONGS.length();

  @Override
  public void expand(
      int rankBits, int words, BlockBuffers buffers, int pivots, long[] bitmaps, int to) {
    long[] planes = buffers.square;
    repeatPlanes(rankBits, words, planes);
    if (rankBits == 1) {
      copy(planes, 0, bitmaps, to, words);
      return;
    }
    long[] low = buffers.lowRanks;
    copy(planes, 0, low, 0, words);
    for (int bit = 1; bit < rankBits - 1; bit++) {
      int half = words << bit;
      if (half < LANES) {
        doubleWords(low, half, planes, bit * VectorBitmaps.STRIDE);
      } else {
        doubleVectors(low, half, planes, bit * VectorBitmaps.STRIDE);
      }
      copy(planes, bit * VectorBitmaps.STRIDE, low, half - words, words);
    }
    int last = (rankBits - 1) * VectorBitmaps.STRIDE;
    int half = words << rankBits - 1;
    finishLower(low, half, planes, last, bitmaps, to);
    finishUpper(low, pivots * words - half, planes, last, bitmaps, to + half);
    copy(planes, last, bitmaps, to + half - words, words);
  }

  /** Copies longs in a loop. For a few longs, this is faster than {@code System.arraycopy}. */
  private static void copy(long[] source, int from, long[] target, int to, int words) {
    for (int w = 0; w < words; w++) {
      target[to + w] = source[from + w];
    }
  }

  /**
   * Fills a vector for each bit of the ranks: repeats the bitmap of the bit if it is shorter than a
   * vector.
   */
  private static void repeatPlanes(int rankBits, int words, long[] planes) {
    for (int plane = 0; plane < rankBits; plane++) {
      int to = plane * VectorBitmaps.STRIDE;
      for (int w = words; w < LANES; w++) {
        planes[to + w] = planes[to + w - words];
      }
    }
  }

  /**
   * Replaces each bitmap in {@code low} by two: one is its OR with the next bit of the ranks, the
   * other is its AND with this bit, see {@link SimdRankBitmaps}. Used if all bitmaps fit into one
   * vector.
   */
  private static void doubleWords(long[] low, int half, long[] planes, int plane) {
    for (int i = 0; i < half; i++) {
      long bits = low[i];
      low[half + i] = bits & planes[plane + i];
      low[i] = bits | planes[plane + i];
    }
  }

  /**
   * Replaces each bitmap in {@code low} by two: one is its OR with the next bit of the ranks, the
   * other is its AND with this bit, see {@link SimdRankBitmaps}. Processes one vector at a time.
   */
  private static void doubleVectors(long[] low, int half, long[] planes, int plane) {
    LongVector bit = (LongVector) TYPE.cast(LongVector.fromArray(LONGS, planes, plane));
    for (int i = 0; i < half; i += LANES) {
      LongVector bits = (LongVector) TYPE.cast(LongVector.fromArray(LONGS, low, i));
      bits.lanewise(VectorOperators.AND, bit).intoArray(low, half + i);
      bits.lanewise(VectorOperators.OR, bit).intoArray(low, i);
    }
  }

  /** Computes the bitmaps "the rank is at least r" for the lower half of all possible ranks r. */
  private static void finishLower(
      long[] low, int half, long[] planes, int plane, long[] bitmaps, int to) {
    LongVector bit = (LongVector) TYPE.cast(LongVector.fromArray(LONGS, planes, plane));
    for (int i = 0; i < half; i += LANES) {
      LongVector bits = (LongVector) TYPE.cast(LongVector.fromArray(LONGS, low, i));
      bits.lanewise(VectorOperators.OR, bit).intoArray(bitmaps, to + i);
    }
  }

  /** Computes the bitmaps "the rank is at least r" for the upper half of all possible ranks r. */
  private static void finishUpper(
      long[] low, int count, long[] planes, int plane, long[] bitmaps, int to) {
    LongVector bit = (LongVector) TYPE.cast(LongVector.fromArray(LONGS, planes, plane));
    for (int i = 0; i < count; i += LANES) {
      LongVector bits = (LongVector) TYPE.cast(LongVector.fromArray(LONGS, low, i));
      bits.lanewise(VectorOperators.AND, bit).intoArray(bitmaps, to + i);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.simd.Specialized;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Finds the ranks of a block's values among up to 255 thresholds, with 512-bit vectors. The results
 * are bit planes: plane k has bit k of all ranks.
 *
 * <p>The search goes down the tree of thresholds with 16 documents at once, one level at a time.
 * The thresholds of a level are in registers, and one instruction (permute) selects a threshold for
 * each document. The results of the 16 comparisons are a part of a plane:
 *
 * <pre>
 *   planes, with one short for 16 documents:
 *            +----+----+----+----+ ...
 *   plane 0  |0-15|16..|32..|48..|         the lowest bit of the ranks
 *   plane 1  |    |    |    |    |
 *    ...
 * </pre>
 *
 * <p>Each level has its own loop, which passes no vector to the next level, see {@link
 * Specialized}.
 */
final class SimdRankPlanes implements VectorBitmaps.Ranks {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
  private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  @Override
  public void find(
      float[] values,
      int from,
      int documents,
      FeaturePredicates predicates,
      int words,
      BlockBuffers buffers) {
    int groups = (documents + 15) >>> 4;
    int[] levels = predicates.levels();
    int rankBits = FeaturePredicates.rankBits(predicates.pivots());
    int[] keys = buffers.keys;
    int[] prefixes = buffers.prefixes;
    short[] planes = buffers.planes;
    keys(values, from, groups, predicates.missingKey(), keys, prefixes);
    for (int level = 0; level < rankBits; level++) {
      int plane = (rankBits - 1 - level) * 4 * words;
      switch (level) {
        case 0, 1, 2, 3 -> descend16(keys, prefixes, groups, levels, 0, planes, plane);
        case 4 -> descend16(keys, prefixes, groups, levels, 16, planes, plane);
        case 5 -> descend32(keys, prefixes, groups, levels, planes, plane);
        case 6 -> descend64(keys, prefixes, groups, levels, planes, plane);
        default -> descend128(keys, prefixes, groups, levels, planes, plane);
      }
    }
    pack(planes, rankBits, words, buffers.square);
  }

  /** Converts floats to ints that compare like them; missing values become {@code missingKey}. */
  private static void keys(
      float[] values, int from, int groups, int missingKey, int[] keys, int[] prefixes) {
    IntVector root = IntVector.broadcast(INTS, 1);
    for (int g = 0; g < groups; g++) {
      // Adding +0 changes -0 to +0, and changes no other value.
      IntVector bits =
          FloatVector.fromArray(FLOATS, values, from + 16 * g).add(0f).reinterpretAsInts();
      IntVector flip = bits.lanewise(VectorOperators.ASHR, 31).and(Integer.MAX_VALUE);
      VectorMask<Integer> missing =
          bits.and(Integer.MAX_VALUE).compare(VectorOperators.GT, INFINITY_BITS);
      bits.lanewise(VectorOperators.XOR, flip).blend(missingKey, missing).intoArray(keys, 16 * g);
      root.intoArray(prefixes, 16 * g);
    }
  }

  /**
   * Moves each value one level down the search tree of thresholds: from its node in {@code
   * prefixes} to a child. Writes a bit to a plane: 1 if the child is the right one. The level has
   * at most 16 thresholds.
   */
  private static void descend16(
      int[] keys, int[] prefixes, int groups, int[] levels, int at, short[] planes, int plane) {
    IntVector pivots = IntVector.fromArray(INTS, levels, at);
    for (int g = 0; g < groups; g++) {
      IntVector prefix = IntVector.fromArray(INTS, prefixes, 16 * g);
      IntVector pivot = prefix.selectFrom(pivots);
      IntVector key = IntVector.fromArray(INTS, keys, 16 * g);
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
      planes[plane + g] = (short) greater.toLong();
      prefix.add(prefix).add(1, greater).intoArray(prefixes, 16 * g);
    }
  }

  private static void descend32(
      int[] keys, int[] prefixes, int groups, int[] levels, short[] planes, int plane) {
    IntVector a = IntVector.fromArray(INTS, levels, 32);
    IntVector b = IntVector.fromArray(INTS, levels, 48);
    for (int g = 0; g < groups; g++) {
      IntVector prefix = IntVector.fromArray(INTS, prefixes, 16 * g);
      IntVector pivot = prefix.selectFrom(a, b);
      IntVector key = IntVector.fromArray(INTS, keys, 16 * g);
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
      planes[plane + g] = (short) greater.toLong();
      prefix.add(prefix).add(1, greater).intoArray(prefixes, 16 * g);
    }
  }

  /**
   * Moves each value down the search tree's level of 64 thresholds, from its node in {@code
   * prefixes} to a child. The thresholds are in four registers; bit 5 of a prefix selects two of
   * them.
   */
  private static void descend64(
      int[] keys, int[] prefixes, int groups, int[] levels, short[] planes, int plane) {
    IntVector a = IntVector.fromArray(INTS, levels, 64);
    IntVector b = IntVector.fromArray(INTS, levels, 80);
    IntVector c = IntVector.fromArray(INTS, levels, 96);
    IntVector d = IntVector.fromArray(INTS, levels, 112);
    for (int g = 0; g < groups; g++) {
      IntVector prefix = IntVector.fromArray(INTS, prefixes, 16 * g);
      VectorMask<Integer> bit5 =
          prefix.lanewise(VectorOperators.LSHL, 31 - 5).compare(VectorOperators.LT, 0);
      IntVector pivot = prefix.selectFrom(a, b).blend(prefix.selectFrom(c, d), bit5);
      IntVector key = IntVector.fromArray(INTS, keys, 16 * g);
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
      planes[plane + g] = (short) greater.toLong();
      prefix.add(prefix).add(1, greater).intoArray(prefixes, 16 * g);
    }
  }

  private static void descend128(
      int[] keys, int[] prefixes, int groups, int[] levels, short[] planes, int plane) {
    IntVector a = IntVector.fromArray(INTS, levels, 128);
    IntVector b = IntVector.fromArray(INTS, levels, 144);
    IntVector c = IntVector.fromArray(INTS, levels, 160);
    IntVector d = IntVector.fromArray(INTS, levels, 176);
    IntVector e = IntVector.fromArray(INTS, levels, 192);
    IntVector f = IntVector.fromArray(INTS, levels, 208);
    IntVector h = IntVector.fromArray(INTS, levels, 224);
    IntVector i = IntVector.fromArray(INTS, levels, 240);
    for (int g = 0; g < groups; g++) {
      IntVector prefix = IntVector.fromArray(INTS, prefixes, 16 * g);
      VectorMask<Integer> bit5 =
          prefix.lanewise(VectorOperators.LSHL, 31 - 5).compare(VectorOperators.LT, 0);
      VectorMask<Integer> bit6 =
          prefix.lanewise(VectorOperators.LSHL, 31 - 6).compare(VectorOperators.LT, 0);
      IntVector low = prefix.selectFrom(a, b).blend(prefix.selectFrom(c, d), bit5);
      IntVector high = prefix.selectFrom(e, f).blend(prefix.selectFrom(h, i), bit5);
      IntVector pivot = low.blend(high, bit6);
      IntVector key = IntVector.fromArray(INTS, keys, 16 * g);
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
      planes[plane + g] = (short) greater.toLong();
      prefix.add(prefix).add(1, greater).intoArray(prefixes, 16 * g);
    }
  }

  /** Copies the bits of all ranks from shorts (16 documents each) to longs (64 documents each). */
  private static void pack(short[] shorts, int rankBits, int words, long[] planes) {
    for (int plane = 0; plane < rankBits; plane++) {
      for (int w = 0; w < words; w++) {
        int from = (plane * words + w) * 4;
        planes[plane * VectorBitmaps.STRIDE + w] =
            shorts[from] & 0xFFFFL
                | (shorts[from + 1] & 0xFFFFL) << 16
                | (shorts[from + 2] & 0xFFFFL) << 32
                | (long) shorts[from + 3] << 48;
      }
    }
  }
}

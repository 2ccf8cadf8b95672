// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.ensemble.MissingValue;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Finds the ranks of a block's values among up to 255 pivots, as bit planes.
 *
 * <p>16 documents descend the tree of pivots at once, one level at a time. The pivots of a level
 * lie in one to eight registers, and a permute fetches the one each document has to be compared
 * with. The outcomes are both the next bits of the ranks and, as a mask of 16 bits, a piece of
 * their bit plane:
 *
 * <pre>
 *   planes, rows of 16 documents a short:
 *            +----+----+----+----+ ...
 *   plane 0  |0-15|16..|32..|48..|         the lowest bit of the ranks
 *   plane 1  |    |    |    |    |
 *    ...
 * </pre>
 *
 * <p>Every level is a loop of its own, and hands no vector on, see {@link Specialized}.
 */
final class SimdRankPlanes {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
  private static final int ZERO_BOUND_BITS = Float.floatToRawIntBits(MissingValue.ZERO_BOUND);
  private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  /** Planes of a rank; the next one holds the documents without a value. */
  static final int MAX_PLANES = 8;

  private SimdRankPlanes() {}

  /**
   * Writes the planes of the ranks, and as plane {@link #MAX_PLANES} the documents whose value is
   * NaN and whose rank is of no meaning.
   *
   * @param groups groups of 16 documents
   * @param levels the pivots as a search tree, see FeaturePredicates
   * @return whether a value is NaN
   */
  static boolean find(
      float[] values,
      int from,
      int groups,
      int[] levels,
      int rankBits,
      int words,
      BlockBuffers buffers) {
    int[] keys = buffers.keys;
    int[] prefixes = buffers.prefixes;
    short[] planes = buffers.planes;
    boolean missing = keys(values, from, groups, keys, prefixes, planes, MAX_PLANES * 4 * words);
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
    return missing;
  }

  /** Turns values into ordered ints, as FeaturePredicates does, and notes which are NaN. */
  private static boolean keys(
      float[] values,
      int from,
      int groups,
      int[] keys,
      int[] prefixes,
      short[] planes,
      int missingPlane) {
    IntVector root = IntVector.broadcast(INTS, 1);
    long missing = 0;
    for (int g = 0; g < groups; g++) {
      // Adding +0 turns -0 into +0 and leaves all else.
      IntVector bits =
          FloatVector.fromArray(FLOATS, values, from + 16 * g).add(0f).reinterpretAsInts();
      IntVector flip = bits.lanewise(VectorOperators.ASHR, 31).and(Integer.MAX_VALUE);
      bits.lanewise(VectorOperators.XOR, flip).intoArray(keys, 16 * g);
      root.intoArray(prefixes, 16 * g);
      long nan = bits.and(Integer.MAX_VALUE).compare(VectorOperators.GT, INFINITY_BITS).toLong();
      planes[missingPlane + g] = (short) nan;
      missing |= nan;
    }
    return missing != 0;
  }

  /** A level whose pivots, up to 16, lie in one register. */
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

  /** Bit 5 of the prefix, its sign after a shift, chooses between two pairs of registers. */
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

  /**
   * Finds the documents without a value, 64 to a long.
   *
   * @param missing receives the bitmap of NaN values, then that of NaN or zero values
   */
  static void missing(float[] values, int from, int documents, int words, long[] missing) {
    for (int word = 0; 64 * word < documents; word++) {
      long nan = 0;
      long zero = 0;
      for (int i = 0; i < 64; i += 16) {
        IntVector magnitude =
            FloatVector.fromArray(FLOATS, values, from + 64 * word + i)
                .reinterpretAsInts()
                .and(Integer.MAX_VALUE);
        nan |= magnitude.compare(VectorOperators.GT, INFINITY_BITS).toLong() << i;
        zero |= magnitude.compare(VectorOperators.LE, ZERO_BOUND_BITS).toLong() << i;
      }
      missing[word] = nan;
      missing[words + word] = nan | zero;
    }
  }

  /** Gives documents without a value that rank. */
  static void replaceMissing(int rankBits, int words, int missingRank, BlockBuffers buffers) {
    short[] planes = buffers.planes;
    int missing = MAX_PLANES * 4 * words;
    for (int plane = 0; plane < rankBits; plane++) {
      int bit = -(missingRank >> plane & 1);
      for (int g = 0; g < 4 * words; g++) {
        int at = plane * 4 * words + g;
        planes[at] = (short) (planes[at] & ~planes[missing + g] | bit & planes[missing + g]);
      }
    }
  }
}

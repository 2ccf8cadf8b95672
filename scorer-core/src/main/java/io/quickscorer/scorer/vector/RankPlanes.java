package io.quickscorer.scorer.vector;

import io.quickscorer.scorer.bitsliced.BlockBuffers;
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
 * <p>Every level is a loop of its own, lest the JIT give up on inlining.
 */
final class RankPlanes {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
  private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  /** Planes of a rank; the next one holds the documents without a value. */
  static final int MAX_PLANES = 8;

  private RankPlanes() {}

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
    IntVector pivots = ints(levels, at);
    for (int g = 0; g < groups; g++) {
      IntVector prefix = ints(prefixes, 16 * g);
      compare(keys, prefixes, g, prefix, prefix.selectFrom(pivots), planes, plane);
    }
  }

  private static void descend32(
      int[] keys, int[] prefixes, int groups, int[] levels, short[] planes, int plane) {
    IntVector a = ints(levels, 32);
    IntVector b = ints(levels, 48);
    for (int g = 0; g < groups; g++) {
      IntVector prefix = ints(prefixes, 16 * g);
      compare(keys, prefixes, g, prefix, prefix.selectFrom(a, b), planes, plane);
    }
  }

  private static void descend64(
      int[] keys, int[] prefixes, int groups, int[] levels, short[] planes, int plane) {
    IntVector a = ints(levels, 64);
    IntVector b = ints(levels, 80);
    IntVector c = ints(levels, 96);
    IntVector d = ints(levels, 112);
    for (int g = 0; g < groups; g++) {
      IntVector prefix = ints(prefixes, 16 * g);
      IntVector pivot = prefix.selectFrom(a, b).blend(prefix.selectFrom(c, d), bit(prefix, 5));
      compare(keys, prefixes, g, prefix, pivot, planes, plane);
    }
  }

  private static void descend128(
      int[] keys, int[] prefixes, int groups, int[] levels, short[] planes, int plane) {
    IntVector a = ints(levels, 128);
    IntVector b = ints(levels, 144);
    IntVector c = ints(levels, 160);
    IntVector d = ints(levels, 176);
    IntVector e = ints(levels, 192);
    IntVector f = ints(levels, 208);
    IntVector h = ints(levels, 224);
    IntVector i = ints(levels, 240);
    for (int g = 0; g < groups; g++) {
      IntVector prefix = ints(prefixes, 16 * g);
      VectorMask<Integer> bit5 = bit(prefix, 5);
      IntVector low = prefix.selectFrom(a, b).blend(prefix.selectFrom(c, d), bit5);
      IntVector high = prefix.selectFrom(e, f).blend(prefix.selectFrom(h, i), bit5);
      compare(keys, prefixes, g, prefix, low.blend(high, bit(prefix, 6)), planes, plane);
    }
  }

  /** One comparison of 16 documents: extends their prefixes and writes a short of the plane. */
  private static void compare(
      int[] keys,
      int[] prefixes,
      int group,
      IntVector prefix,
      IntVector pivot,
      short[] planes,
      int plane) {
    VectorMask<Integer> greater = ints(keys, 16 * group).compare(VectorOperators.GT, pivot);
    planes[plane + group] = (short) greater.toLong();
    prefix.add(prefix).add(1, greater).intoArray(prefixes, 16 * group);
  }

  private static IntVector ints(int[] from, int at) {
    return IntVector.fromArray(INTS, from, at);
  }

  private static VectorMask<Integer> bit(IntVector prefix, int bit) {
    return prefix.lanewise(VectorOperators.LSHL, 31 - bit).compare(VectorOperators.LT, 0);
  }

  /** Gives documents without a value the lowest rank, or the highest one that bits can tell. */
  static void replaceMissing(int rankBits, int words, boolean highest, BlockBuffers buffers) {
    short[] planes = buffers.planes;
    int missing = MAX_PLANES * 4 * words;
    for (int plane = 0; plane < rankBits; plane++) {
      for (int g = 0; g < 4 * words; g++) {
        int bits = planes[plane * 4 * words + g];
        planes[plane * 4 * words + g] =
            (short) (highest ? bits | planes[missing + g] : bits & ~planes[missing + g]);
      }
    }
  }
}

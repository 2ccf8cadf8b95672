// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.simd.SimdSpecies;
import io.quickscorer.engine.simd.Specialized;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Finds the ranks of a block's values among up to 255 thresholds, with vectors of 128 or 256 bits.
 * The results are bit planes: plane k has bit k of all ranks. Each vector width has its own copy of
 * this class, see {@link Specialized}.
 *
 * <p>The search goes down the tree of thresholds, one level at a time, with one document per vector
 * lane. Levels whose thresholds do not fit into {@value #MAX_TABLES} registers are searched
 * document by document. Then the ranks of 64 documents are packed into eight longs, and transposed:
 *
 * <pre>
 *   byte        0    1    2    3   ...                          bit of plane k
 *   row 0       r0   r8   r16  r24       8 x 8 bits at a time   0    1    2  ...
 *   row 1       r1   r9   r17  r25      ---------------------&gt;  r0   r1   r2
 *    ...
 * </pre>
 *
 * <p>Each level has its own loop, which passes no vector to the next level, see {@link
 * Specialized}.
 */
final class SimdRankSearch implements VectorBitmaps.Ranks {
  private static final int BITS = SimdSpecies.bits(MethodHandles.lookup());
  private static final VectorSpecies<Integer> INTS = SimdSpecies.ints(BITS);
  private static final VectorSpecies<Float> FLOATS = SimdSpecies.floats(BITS);
  private static final Class<? extends Vector<Integer>> TYPE = INTS.vectorType();
  private static final int LANES = INTS.length();
  private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
  private static final int MAX_TABLES = 8;

  @Override
  public void find(
      float[] values,
      int from,
      int documents,
      FeaturePredicates predicates,
      int words,
      BlockBuffers buffers) {
    int[] levels = predicates.levels();
    int[] keys = buffers.keys;
    int[] prefixes = buffers.prefixes;
    int rankBits = FeaturePredicates.rankBits(predicates.pivots());
    int end = Math.ceilDiv(documents, LANES) * LANES;
    keys(values, from, end, predicates.missingKey(), keys, prefixes);
    int level = 0;
    for (; level < rankBits && 1 << level <= MAX_TABLES * LANES; level++) {
      switch ((1 << level) / LANES) {
        case 0, 1 -> descend1(keys, prefixes, end, levels, 1 << level & -LANES);
        case 2 -> descend2(keys, prefixes, end, levels);
        case 4 -> descend4(keys, prefixes, end, levels);
        default -> descend8(keys, prefixes, end, levels);
      }
    }
    descend(keys, prefixes, documents, levels, rankBits - level);
    for (int word = 0; 64 * word < documents; word++) {
      pack(prefixes, 64 * word, keys);
      for (int row = 0; row < 8; row++) {
        buffers.square[row * VectorBitmaps.STRIDE + word] =
            keys[row] & 0xFFFF_FFFFL | (long) keys[8 + row] << 32;
      }
      BitTranspose.transpose(buffers.square, word, VectorBitmaps.STRIDE);
    }
  }

  /** Converts floats to ints that compare like them; missing values become {@code missingKey}. */
  private static void keys(
      float[] values, int from, int end, int missingKey, int[] keys, int[] prefixes) {
    IntVector root = IntVector.broadcast(INTS, 1);
    IntVector magnitudes = IntVector.broadcast(INTS, Integer.MAX_VALUE);
    IntVector infinity = IntVector.broadcast(INTS, INFINITY_BITS);
    IntVector missing = (IntVector) TYPE.cast(IntVector.broadcast(INTS, missingKey));
    FloatVector zero = FloatVector.zero(FLOATS);
    for (int d = 0; d < end; d += LANES) {
      // Adding +0 changes -0 to +0, and changes no other value.
      FloatVector value = FloatVector.fromArray(FLOATS, values, from + d);
      IntVector bits =
          (IntVector) TYPE.cast(value.lanewise(VectorOperators.ADD, zero).reinterpretAsInts());
      IntVector flip =
          bits.lanewise(VectorOperators.ASHR, 31).lanewise(VectorOperators.AND, magnitudes);
      IntVector key = bits.lanewise(VectorOperators.XOR, flip);
      IntVector nan =
          infinity
              .lanewise(VectorOperators.SUB, bits.lanewise(VectorOperators.AND, magnitudes))
              .lanewise(VectorOperators.ASHR, 31);
      key.lanewise(
              VectorOperators.XOR,
              key.lanewise(VectorOperators.XOR, missing).lanewise(VectorOperators.AND, nan))
          .intoArray(keys, d);
      root.intoArray(prefixes, d);
    }
  }

  /**
   * Moves each value one level down the search tree. The thresholds of the level fit into one
   * vector register.
   */
  private static void descend1(int[] keys, int[] prefixes, int end, int[] levels, int at) {
    IntVector pivots = IntVector.fromArray(INTS, levels, at);
    IntVector one = IntVector.broadcast(INTS, 1);
    for (int d = 0; d < end; d += LANES) {
      IntVector prefix = (IntVector) TYPE.cast(IntVector.fromArray(INTS, prefixes, d));
      IntVector pivot = prefix.selectFrom(pivots);
      IntVector key = (IntVector) TYPE.cast(IntVector.fromArray(INTS, keys, d));
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
      IntVector left = prefix.lanewise(VectorOperators.ADD, prefix);
      left.blend(left.lanewise(VectorOperators.ADD, one), greater).intoArray(prefixes, d);
    }
  }

  /**
   * Moves each value one level down the search tree. The thresholds of the level fit into two
   * vector registers.
   */
  private static void descend2(int[] keys, int[] prefixes, int end, int[] levels) {
    IntVector a = IntVector.fromArray(INTS, levels, 2 * LANES);
    IntVector b = IntVector.fromArray(INTS, levels, 3 * LANES);
    IntVector one = IntVector.broadcast(INTS, 1);
    IntVector zero = IntVector.zero(INTS);
    for (int d = 0; d < end; d += LANES) {
      IntVector prefix = (IntVector) TYPE.cast(IntVector.fromArray(INTS, prefixes, d));
      VectorMask<Integer> first =
          prefix
              .lanewise(VectorOperators.LSHL, Integer.numberOfLeadingZeros(LANES))
              .compare(VectorOperators.LT, zero);
      IntVector pivot = prefix.selectFrom(a).blend(prefix.selectFrom(b), first);
      IntVector key = (IntVector) TYPE.cast(IntVector.fromArray(INTS, keys, d));
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
      IntVector left = prefix.lanewise(VectorOperators.ADD, prefix);
      left.blend(left.lanewise(VectorOperators.ADD, one), greater).intoArray(prefixes, d);
    }
  }

  private static void descend4(int[] keys, int[] prefixes, int end, int[] levels) {
    IntVector a = IntVector.fromArray(INTS, levels, 4 * LANES);
    IntVector b = IntVector.fromArray(INTS, levels, 5 * LANES);
    IntVector c = IntVector.fromArray(INTS, levels, 6 * LANES);
    IntVector e = IntVector.fromArray(INTS, levels, 7 * LANES);
    IntVector one = IntVector.broadcast(INTS, 1);
    IntVector zero = IntVector.zero(INTS);
    for (int d = 0; d < end; d += LANES) {
      IntVector prefix = (IntVector) TYPE.cast(IntVector.fromArray(INTS, prefixes, d));
      IntVector shifted =
          prefix.lanewise(VectorOperators.LSHL, Integer.numberOfLeadingZeros(LANES) - 1);
      VectorMask<Integer> second = shifted.compare(VectorOperators.LT, zero);
      VectorMask<Integer> first =
          shifted.lanewise(VectorOperators.ADD, shifted).compare(VectorOperators.LT, zero);
      IntVector low = prefix.selectFrom(a).blend(prefix.selectFrom(b), first);
      IntVector high = prefix.selectFrom(c).blend(prefix.selectFrom(e), first);
      IntVector pivot = low.blend(high, second);
      IntVector key = (IntVector) TYPE.cast(IntVector.fromArray(INTS, keys, d));
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
      IntVector left = prefix.lanewise(VectorOperators.ADD, prefix);
      left.blend(left.lanewise(VectorOperators.ADD, one), greater).intoArray(prefixes, d);
    }
  }

  private static void descend8(int[] keys, int[] prefixes, int end, int[] levels) {
    IntVector a = IntVector.fromArray(INTS, levels, 8 * LANES);
    IntVector b = IntVector.fromArray(INTS, levels, 9 * LANES);
    IntVector c = IntVector.fromArray(INTS, levels, 10 * LANES);
    IntVector e = IntVector.fromArray(INTS, levels, 11 * LANES);
    IntVector f = IntVector.fromArray(INTS, levels, 12 * LANES);
    IntVector g = IntVector.fromArray(INTS, levels, 13 * LANES);
    IntVector h = IntVector.fromArray(INTS, levels, 14 * LANES);
    IntVector i = IntVector.fromArray(INTS, levels, 15 * LANES);
    IntVector one = IntVector.broadcast(INTS, 1);
    IntVector zero = IntVector.zero(INTS);
    for (int d = 0; d < end; d += LANES) {
      IntVector prefix = (IntVector) TYPE.cast(IntVector.fromArray(INTS, prefixes, d));
      IntVector shifted =
          prefix.lanewise(VectorOperators.LSHL, Integer.numberOfLeadingZeros(LANES) - 2);
      IntVector twice = shifted.lanewise(VectorOperators.ADD, shifted);
      VectorMask<Integer> third = shifted.compare(VectorOperators.LT, zero);
      VectorMask<Integer> second = twice.compare(VectorOperators.LT, zero);
      VectorMask<Integer> first =
          twice.lanewise(VectorOperators.ADD, twice).compare(VectorOperators.LT, zero);
      IntVector ab = prefix.selectFrom(a).blend(prefix.selectFrom(b), first);
      IntVector ce = prefix.selectFrom(c).blend(prefix.selectFrom(e), first);
      IntVector fg = prefix.selectFrom(f).blend(prefix.selectFrom(g), first);
      IntVector hi = prefix.selectFrom(h).blend(prefix.selectFrom(i), first);
      IntVector pivot = ab.blend(ce, second).blend(fg.blend(hi, second), third);
      IntVector key = (IntVector) TYPE.cast(IntVector.fromArray(INTS, keys, d));
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
      IntVector left = prefix.lanewise(VectorOperators.ADD, prefix);
      left.blend(left.lanewise(VectorOperators.ADD, one), greater).intoArray(prefixes, d);
    }
  }

  /**
   * Searches for the ranks of values in the last {@code left} levels of the search tree: compares
   * each value with one threshold per level.
   */
  private static void descend(int[] keys, int[] prefixes, int count, int[] levels, int left) {
    for (int level = 0; level < left; level++) {
      for (int d = 0; d < count; d++) {
        int prefix = prefixes[d];
        int greater = (int) ((long) levels[prefix & levels.length - 1] - keys[d] >>> 63);
        prefixes[d] = 2 * prefix + greater;
      }
    }
  }

  /**
   * Packs the ranks of 64 documents, one byte each, into 16 ints. For j from 0 to 7, int j contains
   * the ranks of documents j, 8 + j, 16 + j and 24 + j. Int 8 + j contains those of documents 32 +
   * j, 40 + j, 48 + j and 56 + j.
   */
  private static void pack(int[] prefixes, int from, int[] packed) {
    IntVector lowest = IntVector.broadcast(INTS, 0xFF);
    for (int half = 0; half < 2; half++) {
      for (int j = 0; j < 8; j += LANES) {
        int at = from + 32 * half + j;
        IntVector a = (IntVector) TYPE.cast(IntVector.fromArray(INTS, prefixes, at));
        IntVector b = (IntVector) TYPE.cast(IntVector.fromArray(INTS, prefixes, at + 8));
        IntVector c = (IntVector) TYPE.cast(IntVector.fromArray(INTS, prefixes, at + 16));
        IntVector d = (IntVector) TYPE.cast(IntVector.fromArray(INTS, prefixes, at + 24));
        IntVector ab =
            a.lanewise(VectorOperators.AND, lowest)
                .lanewise(
                    VectorOperators.OR,
                    b.lanewise(VectorOperators.AND, lowest).lanewise(VectorOperators.LSHL, 8));
        IntVector cd =
            c.lanewise(VectorOperators.AND, lowest)
                .lanewise(VectorOperators.LSHL, 16)
                .lanewise(VectorOperators.OR, d.lanewise(VectorOperators.LSHL, 24));
        ab.lanewise(VectorOperators.OR, cd).intoArray(packed, 8 * half + j);
      }
    }
  }
}

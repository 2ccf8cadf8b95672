// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.matrix.FeatureMatrix;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Finds the ranks of 16 documents at once, with 512-bit vectors. The search goes down each column's
 * search tree; one instruction (permute) selects the thresholds for all documents. Each loop
 * processes a few levels, and passes no vector to another loop, see {@link Specialized}.
 */
final class SimdGroupRanks {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
  private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  private SimdGroupRanks() {}

  /** Computes the ranks of documents [from, end), 16 at most, in the numeric columns. */
  static void find(RankColumns columns, FeatureMatrix matrix, int from, int end, RankRows rows) {
    // A vector that starts near the end of the last column would exceed the padding.
    int start = Math.min(from, matrix.readable() - RankRows.GROUP);
    firstFour(columns, matrix, start, rows.keys, rows.prefixes);
    nextTwo(columns, rows.keys, rows.prefixes);
    lastTwo(columns, rows.keys, rows.prefixes);
    missing(columns, matrix, start, rows.prefixes);
    for (int document = from; document < end; document++) {
      int row = document * rows.rowBytes;
      int lane = document - start;
      for (int c = 0; c < columns.numeric(); c++) {
        rows.bytes[row + c] = (byte) rows.prefixes[RankRows.GROUP * c + lane];
      }
    }
  }

  /** Converts values to ints, and compares them with levels 0 to 3 of each column's search tree. */
  private static void firstFour(
      RankColumns columns, FeatureMatrix matrix, int start, int[] keys, int[] prefixes) {
    float[] values = matrix.values();
    int[] trees = columns.trees();
    IntVector root = IntVector.broadcast(INTS, 1);
    for (int c = 0; c < columns.numeric(); c++) {
      int at = columns.features()[c] * matrix.stride() + start;
      // Adding +0 changes -0 to +0, and changes no other value.
      IntVector bits = FloatVector.fromArray(FLOATS, values, at).add(0f).reinterpretAsInts();
      IntVector flip = bits.lanewise(VectorOperators.ASHR, 31).and(Integer.MAX_VALUE);
      IntVector key = bits.lanewise(VectorOperators.XOR, flip);
      key.intoArray(keys, RankRows.GROUP * c);
      IntVector pivots = IntVector.fromArray(INTS, trees, columns.treeStarts()[c]);
      VectorMask<Integer> greater = key.compare(VectorOperators.GT, root.selectFrom(pivots));
      IntVector prefix = root.add(root).add(1, greater);
      greater = key.compare(VectorOperators.GT, prefix.selectFrom(pivots));
      prefix = prefix.add(prefix).add(1, greater);
      greater = key.compare(VectorOperators.GT, prefix.selectFrom(pivots));
      prefix = prefix.add(prefix).add(1, greater);
      greater = key.compare(VectorOperators.GT, prefix.selectFrom(pivots));
      prefix.add(prefix).add(1, greater).intoArray(prefixes, RankRows.GROUP * c);
    }
  }

  /** Compares values with levels 4 and 5 of each search tree, which have 16 and 32 thresholds. */
  private static void nextTwo(RankColumns columns, int[] keys, int[] prefixes) {
    int[] trees = columns.trees();
    for (int c = 0; c < columns.numeric(); c++) {
      int tree = columns.treeStarts()[c];
      int bits = columns.treeBits()[c];
      IntVector key = IntVector.fromArray(INTS, keys, RankRows.GROUP * c);
      if (bits > 4) {
        IntVector prefix = IntVector.fromArray(INTS, prefixes, RankRows.GROUP * c);
        IntVector pivot = prefix.selectFrom(IntVector.fromArray(INTS, trees, tree + 16));
        VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
        prefix.add(prefix).add(1, greater).intoArray(prefixes, RankRows.GROUP * c);
      }
      if (bits > 5) {
        IntVector prefix = IntVector.fromArray(INTS, prefixes, RankRows.GROUP * c);
        IntVector pivot =
            prefix.selectFrom(
                IntVector.fromArray(INTS, trees, tree + 32),
                IntVector.fromArray(INTS, trees, tree + 48));
        VectorMask<Integer> greater = key.compare(VectorOperators.GT, pivot);
        prefix.add(prefix).add(1, greater).intoArray(prefixes, RankRows.GROUP * c);
      }
    }
  }

  /** Compares values with levels 6 and 7 of each search tree, which have 64 and 128 thresholds. */
  private static void lastTwo(RankColumns columns, int[] keys, int[] prefixes) {
    int[] trees = columns.trees();
    for (int c = 0; c < columns.numeric(); c++) {
      for (int level = 6; level < columns.treeBits()[c]; level++) {
        descend(trees, columns.treeStarts()[c] + (1 << level), level, keys, prefixes, c);
      }
    }
  }

  /**
   * Compares the values with one level of a column's search tree. The level's thresholds fill four
   * vector registers or more.
   */
  private static void descend(
      int[] trees, int first, int level, int[] keys, int[] prefixes, int column) {
    int at = RankRows.GROUP * column;
    IntVector prefix = IntVector.fromArray(INTS, prefixes, at);
    IntVector pair = prefix.lanewise(VectorOperators.LSHR, 5).and((1 << level - 5) - 1);
    IntVector pivot =
        prefix.selectFrom(
            IntVector.fromArray(INTS, trees, first), IntVector.fromArray(INTS, trees, first + 16));
    for (int i = 1; i < 1 << level - 5; i++) {
      IntVector other =
          prefix.selectFrom(
              IntVector.fromArray(INTS, trees, first + 32 * i),
              IntVector.fromArray(INTS, trees, first + 32 * i + 16));
      pivot = pivot.blend(other, pair.compare(VectorOperators.EQ, i));
    }
    VectorMask<Integer> greater =
        IntVector.fromArray(INTS, keys, at).compare(VectorOperators.GT, pivot);
    prefix.add(prefix).add(1, greater).intoArray(prefixes, at);
  }

  /** Converts the results of all comparisons to ranks. Missing values get their fixed rank. */
  private static void missing(
      RankColumns columns, FeatureMatrix matrix, int start, int[] prefixes) {
    float[] values = matrix.values();
    for (int c = 0; c < columns.numeric(); c++) {
      int at = columns.features()[c] * matrix.stride() + start;
      IntVector magnitude =
          FloatVector.fromArray(FLOATS, values, at).reinterpretAsInts().and(Integer.MAX_VALUE);
      VectorMask<Integer> missing =
          magnitude
              .compare(VectorOperators.GT, INFINITY_BITS)
              .or(magnitude.compare(VectorOperators.LE, columns.zeroBits()[c]));
      IntVector.fromArray(INTS, prefixes, RankRows.GROUP * c)
          .sub(1 << columns.treeBits()[c])
          .blend(columns.missingRanks()[c], missing)
          .intoArray(prefixes, RankRows.GROUP * c);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Adds leaf values in float with 512-bit vectors. Float must represent all leaf values and the
 * initial score exactly.
 *
 * <p>The sums of 16 documents stay in a register while all trees of a group are added. Each 32-bit
 * lane has the codes of four documents. The sums of 64 documents are 4 rows of 16; row b has the
 * documents whose codes are byte b of a lane.
 */
final class SimdFloatSums implements LeafSums {
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
  private static final Class<? extends Vector<Float>> TYPE = FLOATS.vectorType();

  private final BitProgram program;

  /** For each tree, its leaf values as the bits of floats, indexed by leaf code. */
  private final int[] tables;

  /** For each group of trees, the index in {@link #tables} of its first leaf value. */
  private final int[] first;

  SimdFloatSums(BitProgram program, LeafTable leaves) {
    this.program = program;
    this.tables = new int[leaves.values().length];
    for (int i = 0; i < tables.length; i++) {
      tables[i] = Float.floatToRawIntBits((float) leaves.values()[i]);
    }
    this.first = leaves.firstOfGroup();
  }

  /** Returns whether the sums of an ensemble can be computed in float. */
  static boolean supports(TreeEnsemble ensemble, LeafTable leaves) {
    double initial = ensemble.initialScore();
    return ensemble.accumulator() == Accumulator.FLOAT
        && (float) initial == initial
        && leaves.allFloats();
  }

  @Override
  public void start(BlockBuffers buffers, int words) {
    Arrays.fill(buffers.floatSums, 0, 64 * words, (float) program.ensemble().initialScore());
  }

  @Override
  public void add(int group, BlockBuffers buffers, int words, int documents) {
    int trees = LeafPermutes.trees(program, group);
    int indexBits = LeafPermutes.indexBits(program, group);
    int table = first[group];
    int stride = 8 * words;
    for (int code = 0; code < stride; code += 8) {
      for (int s = 0; s < 4; s++) {
        int sum = 8 * code + 16 * s;
        switch (indexBits) {
          case 5 ->
              add32(
                  trees, buffers.codes, code, stride, 8 * s, tables, table, buffers.floatSums, sum);
          case 6 ->
              add64(
                  trees, buffers.codes, code, stride, 8 * s, tables, table, buffers.floatSums, sum);
          default ->
              add128(
                  trees, buffers.codes, code, stride, 8 * s, tables, table, buffers.floatSums, sum);
        }
      }
    }
  }

  /** Adds leaf values of some trees to the sums of 16 documents, for leaf codes of up to 5 bits. */
  private static void add32(
      int trees,
      long[] codes,
      int firstCode,
      int stride,
      int shift,
      int[] tables,
      int firstTable,
      float[] sums,
      int sum) {
    FloatVector total = FloatVector.fromArray(FLOATS, sums, sum);
    int code = firstCode;
    int table = firstTable;
    for (int t = 0; t < trees; t++, code += stride, table += 32) {
      IntVector index =
          LongVector.fromArray(LONGS, codes, code)
              .reinterpretAsInts()
              .lanewise(VectorOperators.LSHR, shift);
      IntVector leaf =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table),
              IntVector.fromArray(INTS, tables, table + 16));
      total = ((FloatVector) TYPE.cast(total)).add(leaf.reinterpretAsFloats());
    }
    ((FloatVector) TYPE.cast(total)).intoArray(sums, sum);
  }

  /** Adds leaf values of some trees to the sums of 16 documents, for leaf codes of 6 bits. */
  private static void add64(
      int trees,
      long[] codes,
      int firstCode,
      int stride,
      int shift,
      int[] tables,
      int firstTable,
      float[] sums,
      int sum) {
    FloatVector total = FloatVector.fromArray(FLOATS, sums, sum);
    int code = firstCode;
    int table = firstTable;
    for (int t = 0; t < trees; t++, code += stride, table += 64) {
      IntVector index =
          LongVector.fromArray(LONGS, codes, code)
              .reinterpretAsInts()
              .lanewise(VectorOperators.LSHR, shift);
      VectorMask<Integer> bit5 =
          index.lanewise(VectorOperators.LSHL, 31 - 5).compare(VectorOperators.LT, 0);
      IntVector leaf0 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table),
              IntVector.fromArray(INTS, tables, table + 16));
      IntVector leaf1 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 32),
              IntVector.fromArray(INTS, tables, table + 48));
      IntVector leaf = leaf0.blend(leaf1, bit5);
      total = ((FloatVector) TYPE.cast(total)).add(leaf.reinterpretAsFloats());
    }
    ((FloatVector) TYPE.cast(total)).intoArray(sums, sum);
  }

  /** Adds leaf values of some trees to the sums of 16 documents, for leaf codes of 7 bits. */
  private static void add128(
      int trees,
      long[] codes,
      int firstCode,
      int stride,
      int shift,
      int[] tables,
      int firstTable,
      float[] sums,
      int sum) {
    FloatVector total = FloatVector.fromArray(FLOATS, sums, sum);
    int code = firstCode;
    int table = firstTable;
    for (int t = 0; t < trees; t++, code += stride, table += 128) {
      IntVector index =
          LongVector.fromArray(LONGS, codes, code)
              .reinterpretAsInts()
              .lanewise(VectorOperators.LSHR, shift);
      VectorMask<Integer> bit5 =
          index.lanewise(VectorOperators.LSHL, 31 - 5).compare(VectorOperators.LT, 0);
      VectorMask<Integer> bit6 =
          index.lanewise(VectorOperators.LSHL, 31 - 6).compare(VectorOperators.LT, 0);
      IntVector leaf00 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table),
              IntVector.fromArray(INTS, tables, table + 16));
      IntVector leaf01 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 32),
              IntVector.fromArray(INTS, tables, table + 48));
      IntVector leaf10 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 64),
              IntVector.fromArray(INTS, tables, table + 80));
      IntVector leaf11 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 96),
              IntVector.fromArray(INTS, tables, table + 112));
      IntVector leaf = leaf00.blend(leaf01, bit5).blend(leaf10.blend(leaf11, bit5), bit6);
      total = ((FloatVector) TYPE.cast(total)).add(leaf.reinterpretAsFloats());
    }
    ((FloatVector) TYPE.cast(total)).intoArray(sums, sum);
  }

  @Override
  public double sum(BlockBuffers buffers, int words, int document) {
    int x = (document & 7) * words + (document >>> 6);
    int i = document >>> 3 & 7;
    int row = (x >>> 3) * 4 + (i & 3);
    return buffers.floatSums[16 * row + 2 * (x & 7) + (i >>> 2)];
  }

  @Override
  public long bytes() {
    return 4L * (tables.length + first.length);
  }
}

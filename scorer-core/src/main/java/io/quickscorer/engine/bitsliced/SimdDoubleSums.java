// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Phase 5 of {@link BitProgram} with sums in double and 512-bit vectors.
 *
 * <p>A double does not fit into a 32-bit lane. So each tree has two tables of ints: the low and the
 * high halves of the doubles. Both tables are permuted by the same codes. Then the halves are
 * joined, first for the even and then for the odd lanes:
 *
 * <pre>
 *   lane        0    1    2    3   ...                 0         1   ...
 *   low         l0   l1   l2   l3        even lanes   h0:l0     h2:l2
 *   high        h0   h1   h2   h3        odd lanes    h1:l1     h3:l3
 * </pre>
 *
 * <p>The sums of 32 documents (16 if tables are large) stay in registers while all trees of a group
 * are added. With 64 documents, the JIT would not inline all calls. The sums of 64 documents are 8
 * rows of 8: for each byte of a lane, first the even lanes, then the odd lanes.
 */
final class SimdDoubleSums implements LeafSums {
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final Class<? extends Vector<Double>> TYPE = DOUBLES.vectorType();
  private static final VectorMask<Integer> ODD = VectorMask.fromLong(INTS, 0xAAAAL);

  private final BitProgram program;

  /**
   * For each tree, two tables that are indexed by leaf code: the low 32 bits of the leaf values,
   * then the high 32 bits.
   */
  private final int[] tables;

  /** For each group of trees, the index in {@link #tables} of its first leaf value. */
  private final int[] first;

  SimdDoubleSums(BitProgram program, LeafTable leaves) {
    this.program = program;
    this.tables = new int[2 * leaves.values().length];
    this.first = new int[program.groups()];
    for (int group = 0; group < first.length; group++) {
      first[group] = 2 * leaves.firstOfGroup()[group];
      int size = 1 << LeafPermutes.indexBits(program, group);
      for (int tree = 0; tree < LeafPermutes.trees(program, group); tree++) {
        for (int code = 0; code < size; code++) {
          double leaf = leaves.values()[leaves.firstOfGroup()[group] + tree * size + code];
          long bits = Double.doubleToRawLongBits(leaf);
          tables[first[group] + 2 * tree * size + code] = (int) bits;
          tables[first[group] + (2 * tree + 1) * size + code] = (int) (bits >>> 32);
        }
      }
    }
  }

  @Override
  public void start(BlockBuffers buffers, int words) {
    Arrays.fill(buffers.sums, 0, 64 * words, program.ensemble().initialScore());
  }

  @Override
  public void add(int group, BlockBuffers buffers, int words, int documents) {
    int trees = LeafPermutes.trees(program, group);
    int indexBits = LeafPermutes.indexBits(program, group);
    int table = first[group];
    int stride = 8 * words;
    for (int code = 0; code < stride; code += 8) {
      for (int s = 0; s < 4; s += 2) {
        int sum = 8 * code + 16 * s;
        switch (indexBits) {
          case 5 ->
              add32(trees, buffers.codes, code, stride, 8 * s, tables, table, buffers.sums, sum);
          case 6 ->
              add64(trees, buffers.codes, code, stride, 8 * s, tables, table, buffers.sums, sum);
          default -> {
            add128(trees, buffers.codes, code, stride, 8 * s, tables, table, buffers.sums, sum);
            add128(
                trees,
                buffers.codes,
                code,
                stride,
                8 * s + 8,
                tables,
                table,
                buffers.sums,
                sum + 16);
          }
        }
      }
    }
  }

  /** Adds leaf values of some trees to the sums of 32 documents, for leaf codes of up to 5 bits. */
  private static void add32(
      int trees,
      long[] codes,
      int firstCode,
      int stride,
      int shift,
      int[] tables,
      int firstTable,
      double[] sums,
      int sum) {
    DoubleVector evenA = DoubleVector.fromArray(DOUBLES, sums, sum);
    DoubleVector oddA = DoubleVector.fromArray(DOUBLES, sums, sum + 8);
    DoubleVector evenB = DoubleVector.fromArray(DOUBLES, sums, sum + 16);
    DoubleVector oddB = DoubleVector.fromArray(DOUBLES, sums, sum + 24);
    int code = firstCode;
    int table = firstTable;
    for (int t = 0; t < trees; t++, code += stride, table += 64) {
      IntVector a =
          LongVector.fromArray(LONGS, codes, code)
              .reinterpretAsInts()
              .lanewise(VectorOperators.LSHR, shift);
      IntVector b = a.lanewise(VectorOperators.LSHR, 8);
      IntVector low0 = IntVector.fromArray(INTS, tables, table);
      IntVector low1 = IntVector.fromArray(INTS, tables, table + 16);
      IntVector lowA = a.selectFrom(low0, low1);
      IntVector lowB = b.selectFrom(low0, low1);
      IntVector high0 = IntVector.fromArray(INTS, tables, table + 32);
      IntVector high1 = IntVector.fromArray(INTS, tables, table + 48);
      IntVector highA = a.selectFrom(high0, high1);
      IntVector highB = b.selectFrom(high0, high1);
      IntVector upA =
          highA.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 32).reinterpretAsInts();
      IntVector downA =
          lowA.reinterpretAsLongs().lanewise(VectorOperators.LSHR, 32).reinterpretAsInts();
      evenA = ((DoubleVector) TYPE.cast(evenA)).add(lowA.blend(upA, ODD).reinterpretAsDoubles());
      oddA = ((DoubleVector) TYPE.cast(oddA)).add(downA.blend(highA, ODD).reinterpretAsDoubles());
      IntVector upB =
          highB.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 32).reinterpretAsInts();
      IntVector downB =
          lowB.reinterpretAsLongs().lanewise(VectorOperators.LSHR, 32).reinterpretAsInts();
      evenB = ((DoubleVector) TYPE.cast(evenB)).add(lowB.blend(upB, ODD).reinterpretAsDoubles());
      oddB = ((DoubleVector) TYPE.cast(oddB)).add(downB.blend(highB, ODD).reinterpretAsDoubles());
    }
    ((DoubleVector) TYPE.cast(evenA)).intoArray(sums, sum);
    ((DoubleVector) TYPE.cast(oddA)).intoArray(sums, sum + 8);
    ((DoubleVector) TYPE.cast(evenB)).intoArray(sums, sum + 16);
    ((DoubleVector) TYPE.cast(oddB)).intoArray(sums, sum + 24);
  }

  /** Adds leaf values of some trees to the sums of 32 documents, for leaf codes of 6 bits. */
  private static void add64(
      int trees,
      long[] codes,
      int firstCode,
      int stride,
      int shift,
      int[] tables,
      int firstTable,
      double[] sums,
      int sum) {
    DoubleVector evenA = DoubleVector.fromArray(DOUBLES, sums, sum);
    DoubleVector oddA = DoubleVector.fromArray(DOUBLES, sums, sum + 8);
    DoubleVector evenB = DoubleVector.fromArray(DOUBLES, sums, sum + 16);
    DoubleVector oddB = DoubleVector.fromArray(DOUBLES, sums, sum + 24);
    int code = firstCode;
    int table = firstTable;
    for (int t = 0; t < trees; t++, code += stride, table += 128) {
      IntVector a =
          LongVector.fromArray(LONGS, codes, code)
              .reinterpretAsInts()
              .lanewise(VectorOperators.LSHR, shift);
      IntVector b = a.lanewise(VectorOperators.LSHR, 8);
      VectorMask<Integer> bitA =
          a.lanewise(VectorOperators.LSHL, 31 - 5).compare(VectorOperators.LT, 0);
      VectorMask<Integer> bitB =
          b.lanewise(VectorOperators.LSHL, 31 - 5).compare(VectorOperators.LT, 0);
      IntVector low0 = IntVector.fromArray(INTS, tables, table);
      IntVector low1 = IntVector.fromArray(INTS, tables, table + 16);
      IntVector low2 = IntVector.fromArray(INTS, tables, table + 32);
      IntVector low3 = IntVector.fromArray(INTS, tables, table + 48);
      IntVector lowA = a.selectFrom(low0, low1).blend(a.selectFrom(low2, low3), bitA);
      IntVector lowB = b.selectFrom(low0, low1).blend(b.selectFrom(low2, low3), bitB);
      IntVector high0 = IntVector.fromArray(INTS, tables, table + 64);
      IntVector high1 = IntVector.fromArray(INTS, tables, table + 80);
      IntVector high2 = IntVector.fromArray(INTS, tables, table + 96);
      IntVector high3 = IntVector.fromArray(INTS, tables, table + 112);
      IntVector highA = a.selectFrom(high0, high1).blend(a.selectFrom(high2, high3), bitA);
      IntVector highB = b.selectFrom(high0, high1).blend(b.selectFrom(high2, high3), bitB);
      IntVector upA =
          highA.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 32).reinterpretAsInts();
      IntVector downA =
          lowA.reinterpretAsLongs().lanewise(VectorOperators.LSHR, 32).reinterpretAsInts();
      evenA = ((DoubleVector) TYPE.cast(evenA)).add(lowA.blend(upA, ODD).reinterpretAsDoubles());
      oddA = ((DoubleVector) TYPE.cast(oddA)).add(downA.blend(highA, ODD).reinterpretAsDoubles());
      IntVector upB =
          highB.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 32).reinterpretAsInts();
      IntVector downB =
          lowB.reinterpretAsLongs().lanewise(VectorOperators.LSHR, 32).reinterpretAsInts();
      evenB = ((DoubleVector) TYPE.cast(evenB)).add(lowB.blend(upB, ODD).reinterpretAsDoubles());
      oddB = ((DoubleVector) TYPE.cast(oddB)).add(downB.blend(highB, ODD).reinterpretAsDoubles());
    }
    ((DoubleVector) TYPE.cast(evenA)).intoArray(sums, sum);
    ((DoubleVector) TYPE.cast(oddA)).intoArray(sums, sum + 8);
    ((DoubleVector) TYPE.cast(evenB)).intoArray(sums, sum + 16);
    ((DoubleVector) TYPE.cast(oddB)).intoArray(sums, sum + 24);
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
      double[] sums,
      int sum) {
    DoubleVector even = DoubleVector.fromArray(DOUBLES, sums, sum);
    DoubleVector odd = DoubleVector.fromArray(DOUBLES, sums, sum + 8);
    int code = firstCode;
    int table = firstTable;
    for (int t = 0; t < trees; t++, code += stride, table += 256) {
      IntVector index =
          LongVector.fromArray(LONGS, codes, code)
              .reinterpretAsInts()
              .lanewise(VectorOperators.LSHR, shift);
      VectorMask<Integer> bit5 =
          index.lanewise(VectorOperators.LSHL, 31 - 5).compare(VectorOperators.LT, 0);
      VectorMask<Integer> bit6 =
          index.lanewise(VectorOperators.LSHL, 31 - 6).compare(VectorOperators.LT, 0);
      IntVector low00 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table),
              IntVector.fromArray(INTS, tables, table + 16));
      IntVector low01 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 32),
              IntVector.fromArray(INTS, tables, table + 48));
      IntVector low10 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 64),
              IntVector.fromArray(INTS, tables, table + 80));
      IntVector low11 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 96),
              IntVector.fromArray(INTS, tables, table + 112));
      IntVector low = low00.blend(low01, bit5).blend(low10.blend(low11, bit5), bit6);
      IntVector high00 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 128),
              IntVector.fromArray(INTS, tables, table + 144));
      IntVector high01 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 160),
              IntVector.fromArray(INTS, tables, table + 176));
      IntVector high10 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 192),
              IntVector.fromArray(INTS, tables, table + 208));
      IntVector high11 =
          index.selectFrom(
              IntVector.fromArray(INTS, tables, table + 224),
              IntVector.fromArray(INTS, tables, table + 240));
      IntVector high = high00.blend(high01, bit5).blend(high10.blend(high11, bit5), bit6);
      IntVector up =
          high.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 32).reinterpretAsInts();
      IntVector down =
          low.reinterpretAsLongs().lanewise(VectorOperators.LSHR, 32).reinterpretAsInts();
      even = ((DoubleVector) TYPE.cast(even)).add(low.blend(up, ODD).reinterpretAsDoubles());
      odd = ((DoubleVector) TYPE.cast(odd)).add(down.blend(high, ODD).reinterpretAsDoubles());
    }
    ((DoubleVector) TYPE.cast(even)).intoArray(sums, sum);
    ((DoubleVector) TYPE.cast(odd)).intoArray(sums, sum + 8);
  }

  @Override
  public double sum(BlockBuffers buffers, int words, int document) {
    int x = (document & 7) * words + (document >>> 6);
    int i = document >>> 3 & 7;
    int row = (x >>> 3) * 8 + 2 * (i & 3) + (i >>> 2);
    return buffers.sums[8 * row + (x & 7)];
  }

  @Override
  public long bytes() {
    return 4L * (tables.length + first.length);
  }
}

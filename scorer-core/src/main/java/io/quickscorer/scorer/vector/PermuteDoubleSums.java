package io.quickscorer.scorer.vector;

import io.quickscorer.scorer.bitsliced.BitProgram;
import io.quickscorer.scorer.bitsliced.BlockBuffers;
import io.quickscorer.scorer.bitsliced.LeafSums;
import io.quickscorer.scorer.bitsliced.LeafTable;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Phase 5 of the bit-sliced scorer with sums in double, on 512-bit vectors.
 *
 * <p>A double does not fit a 32-bit lane. Each tree's table is kept as two of ints, the low and the
 * high halves of the doubles; both are permuted by the same codes, and the halves are joined for
 * the even and for the odd lanes:
 *
 * <pre>
 *   lane        0    1    2    3   ...                 0         1   ...
 *   low         l0   l1   l2   l3        even lanes   h0:l0     h2:l2
 *   high        h0   h1   h2   h3        odd lanes    h1:l1     h3:l3
 * </pre>
 *
 * <p>32 documents (16 where tables are large) keep their sums in registers while all trees of a
 * group pass: what is loaded of a table serves all of them. For 64 documents at once the JIT gives
 * up on inlining. The sums of the 64 codes of one vector stand as 8 rows of 8: for each byte s of a
 * lane, first the even, then the odd lanes.
 */
final class PermuteDoubleSums implements LeafSums {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final VectorMask<Integer> ODD =
      VectorMask.fromLong(IntVector.SPECIES_512, 0xAAAAL);

  private final BitProgram program;

  /** Of each tree the low, then the high halves of its leaves by code. */
  private final int[] tables;

  /** By group: where the tables of its trees start. */
  private final int[] first;

  PermuteDoubleSums(BitProgram program, LeafTable leaves) {
    this.program = program;
    this.tables = new int[2 * leaves.values().length];
    this.first = new int[program.groups()];
    for (int group = 0; group < first.length; group++) {
      first[group] = 2 * leaves.first(group);
      int size = 1 << LeafPermutes.indexBits(program, group);
      for (int tree = 0; tree < LeafPermutes.trees(program, group); tree++) {
        for (int code = 0; code < size; code++) {
          double leaf = leaves.values()[leaves.first(group) + tree * size + code];
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

  /** Adds the leaves of 32 documents in trees of 32 codes. */
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
      IntVector a = LeafPermutes.codes(codes, code, shift);
      IntVector b = a.lanewise(VectorOperators.LSHR, 8);
      IntVector low0 = LeafPermutes.ints(tables, table);
      IntVector low1 = LeafPermutes.ints(tables, table + 16);
      IntVector high0 = LeafPermutes.ints(tables, table + 32);
      IntVector high1 = LeafPermutes.ints(tables, table + 48);
      IntVector lowA = a.selectFrom(low0, low1);
      IntVector highA = a.selectFrom(high0, high1);
      evenA = evenA.add(even(lowA, highA));
      oddA = oddA.add(odd(lowA, highA));
      IntVector lowB = b.selectFrom(low0, low1);
      IntVector highB = b.selectFrom(high0, high1);
      evenB = evenB.add(even(lowB, highB));
      oddB = oddB.add(odd(lowB, highB));
    }
    evenA.intoArray(sums, sum);
    oddA.intoArray(sums, sum + 8);
    evenB.intoArray(sums, sum + 16);
    oddB.intoArray(sums, sum + 24);
  }

  /** Adds the leaves of 32 documents in trees of 64 codes. */
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
      IntVector a = LeafPermutes.codes(codes, code, shift);
      IntVector b = a.lanewise(VectorOperators.LSHR, 8);
      VectorMask<Integer> bitA = LeafPermutes.bit(a, 5);
      VectorMask<Integer> bitB = LeafPermutes.bit(b, 5);
      IntVector t0 = LeafPermutes.ints(tables, table);
      IntVector t1 = LeafPermutes.ints(tables, table + 16);
      IntVector t2 = LeafPermutes.ints(tables, table + 32);
      IntVector t3 = LeafPermutes.ints(tables, table + 48);
      IntVector lowA = a.selectFrom(t0, t1).blend(a.selectFrom(t2, t3), bitA);
      IntVector lowB = b.selectFrom(t0, t1).blend(b.selectFrom(t2, t3), bitB);
      IntVector t4 = LeafPermutes.ints(tables, table + 64);
      IntVector t5 = LeafPermutes.ints(tables, table + 80);
      IntVector t6 = LeafPermutes.ints(tables, table + 96);
      IntVector t7 = LeafPermutes.ints(tables, table + 112);
      IntVector highA = a.selectFrom(t4, t5).blend(a.selectFrom(t6, t7), bitA);
      IntVector highB = b.selectFrom(t4, t5).blend(b.selectFrom(t6, t7), bitB);
      evenA = evenA.add(even(lowA, highA));
      oddA = oddA.add(odd(lowA, highA));
      evenB = evenB.add(even(lowB, highB));
      oddB = oddB.add(odd(lowB, highB));
    }
    evenA.intoArray(sums, sum);
    oddA.intoArray(sums, sum + 8);
    evenB.intoArray(sums, sum + 16);
    oddB.intoArray(sums, sum + 24);
  }

  /** Adds the leaves of 16 documents in trees of 128 codes. */
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
      IntVector index = LeafPermutes.codes(codes, code, shift);
      VectorMask<Integer> bit5 = LeafPermutes.bit(index, 5);
      VectorMask<Integer> bit6 = LeafPermutes.bit(index, 6);
      IntVector low = LeafPermutes.look128(index, bit5, bit6, tables, table);
      IntVector high = LeafPermutes.look128(index, bit5, bit6, tables, table + 128);
      even = even.add(even(low, high));
      odd = odd.add(odd(low, high));
    }
    even.intoArray(sums, sum);
    odd.intoArray(sums, sum + 8);
  }

  /** Joins the halves of the even lanes' doubles. */
  private static DoubleVector even(IntVector low, IntVector high) {
    IntVector up = high.reinterpretAsLongs().lanewise(VectorOperators.LSHL, 32).reinterpretAsInts();
    return low.blend(up, ODD).reinterpretAsDoubles();
  }

  /** Joins the halves of the odd lanes' doubles. */
  private static DoubleVector odd(IntVector low, IntVector high) {
    IntVector down =
        low.reinterpretAsLongs().lanewise(VectorOperators.LSHR, 32).reinterpretAsInts();
    return down.blend(high, ODD).reinterpretAsDoubles();
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

package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.bitsliced.BitProgram;
import io.quickscorer.scorer.bitsliced.BlockBuffers;
import io.quickscorer.scorer.bitsliced.LeafSums;
import io.quickscorer.scorer.bitsliced.LeafTable;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Phase 5 of the bit-sliced scorer on 512-bit vectors: a look-up is a permute of a table that lies
 * in registers, so 16 documents are looked up at once.
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
 * <p>16 documents keep their sums in two registers while all trees of a group pass. The sums of the
 * 64 codes of one vector stand as 8 rows of 8: for each byte s of a lane, first the even, then the
 * odd lanes.
 */
final class PermuteLeafSums implements LeafSums {
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_512;
  private static final VectorMask<Integer> ODD = VectorMask.fromLong(INTS, 0xAAAAL);

  /** Codes of one vector. */
  private static final int CODES = 64;

  private static final int MAX_INDEX_BITS = 6;

  private final BitProgram program;
  private final double initialScore;
  private final boolean floatSums;

  /** By group: where its tables start in {@link #halves}, or in {@link #doubles}. */
  private final int[] first;

  /** Tables of groups with up to 64 codes: of each tree the low, then the high halves. */
  private final int[] halves;

  /** Tables of all other groups. */
  private final double[] doubles;

  PermuteLeafSums(BitProgram program, LeafTable leaves) {
    TreeEnsemble ensemble = program.ensemble();
    this.program = program;
    this.initialScore = ensemble.initialScore();
    this.floatSums = ensemble.accumulator() == Accumulator.FLOAT;
    this.first = new int[program.groups()];
    int ints = 0;
    int wides = 0;
    for (int group = 0; group < first.length; group++) {
      if (indexBits(group) <= MAX_INDEX_BITS) {
        first[group] = ints;
        ints += 2 * entries(group);
      } else {
        first[group] = wides;
        wides += entries(group);
      }
    }
    halves = new int[ints];
    doubles = new double[wides];
    for (int group = 0; group < first.length; group++) {
      if (indexBits(group) <= MAX_INDEX_BITS) {
        split(leaves, group);
      } else {
        System.arraycopy(
            leaves.values(), leaves.first(group), doubles, first[group], entries(group));
      }
    }
  }

  private int indexBits(int group) {
    return LeafTable.indexBits(program.codeBits(group));
  }

  private int trees(int group) {
    return program.endTree(group) - program.firstTree(group);
  }

  private int entries(int group) {
    return trees(group) << indexBits(group);
  }

  private void split(LeafTable leaves, int group) {
    int size = 1 << indexBits(group);
    for (int i = 0; i < entries(group); i++) {
      long bits = Double.doubleToRawLongBits(leaves.values()[leaves.first(group) + i]);
      int low = first[group] + i / size * 2 * size + i % size;
      halves[low] = (int) bits;
      halves[low + size] = (int) (bits >>> 32);
    }
  }

  @Override
  public void start(BlockBuffers buffers, int words) {
    Arrays.fill(buffers.sums, 0, 64 * words, initialScore);
  }

  @Override
  public void add(int group, BlockBuffers buffers, int words, int documents) {
    int trees = trees(group);
    int table = first[group];
    int indexBits = indexBits(group);
    if (indexBits > MAX_INDEX_BITS || floatSums) {
      addOneByOne(group, buffers, words);
      return;
    }
    for (int vector = 0; vector < words; vector++) {
      for (int s = 0; s < 4; s++) {
        int sum = vector * CODES + 16 * s;
        if (indexBits == MAX_INDEX_BITS) {
          add64(
              trees, buffers.codes, 8 * vector, 8 * words, 8 * s, halves, table, buffers.sums, sum);
        } else {
          add32(
              trees, buffers.codes, 8 * vector, 8 * words, 8 * s, halves, table, buffers.sums, sum);
        }
      }
    }
  }

  private static IntVector ints(int[] from, int at) {
    return IntVector.fromArray(INTS, from, at);
  }

  private static IntVector codes(long[] codes, int at, int shift) {
    return LongVector.fromArray(LONGS, codes, at)
        .reinterpretAsInts()
        .lanewise(VectorOperators.LSHR, shift);
  }

  /** Adds the leaves of 16 documents in trees of 64 codes. */
  private static void add64(
      int trees,
      long[] codes,
      int firstCode,
      int stride,
      int shift,
      int[] halves,
      int firstTable,
      double[] sums,
      int sum) {
    DoubleVector even = DoubleVector.fromArray(DOUBLES, sums, sum);
    DoubleVector odd = DoubleVector.fromArray(DOUBLES, sums, sum + 8);
    int code = firstCode;
    int table = firstTable;
    for (int t = 0; t < trees; t++, code += stride, table += 128) {
      IntVector index = codes(codes, code, shift);
      VectorMask<Integer> upper =
          index.lanewise(VectorOperators.LSHL, 26).compare(VectorOperators.LT, 0);
      IntVector low = look64(index, upper, halves, table);
      IntVector high = look64(index, upper, halves, table + 64);
      even = even.add(even(low, high));
      odd = odd.add(odd(low, high));
    }
    even.intoArray(sums, sum);
    odd.intoArray(sums, sum + 8);
  }

  /** Permutes by the lowest five bits of the index; the sixth chooses between both results. */
  private static IntVector look64(
      IntVector index, VectorMask<Integer> upper, int[] halves, int table) {
    IntVector below32 = index.selectFrom(ints(halves, table), ints(halves, table + 16));
    IntVector from32 = index.selectFrom(ints(halves, table + 32), ints(halves, table + 48));
    return below32.blend(from32, upper);
  }

  /** Adds the leaves of 16 documents in trees of 32 codes. */
  private static void add32(
      int trees,
      long[] codes,
      int firstCode,
      int stride,
      int shift,
      int[] halves,
      int firstTable,
      double[] sums,
      int sum) {
    DoubleVector even = DoubleVector.fromArray(DOUBLES, sums, sum);
    DoubleVector odd = DoubleVector.fromArray(DOUBLES, sums, sum + 8);
    int code = firstCode;
    int table = firstTable;
    for (int t = 0; t < trees; t++, code += stride, table += 64) {
      IntVector index = codes(codes, code, shift);
      IntVector low = index.selectFrom(ints(halves, table), ints(halves, table + 16));
      IntVector high = index.selectFrom(ints(halves, table + 32), ints(halves, table + 48));
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

  /** What the permutes do not do: over 64 codes, or sums in float. */
  private void addOneByOne(int group, BlockBuffers buffers, int words) {
    int size = 1 << indexBits(group);
    int octets = program.codeBytes(group);
    Accumulator accumulator = program.ensemble().accumulator();
    for (int t = 0; t < trees(group); t++) {
      int row = t * octets * 8 * words;
      for (int x = 0; x < 8 * words; x++) {
        long low = buffers.codes[row + x];
        long high = octets == 1 ? 0 : buffers.codes[row + 8 * words + x];
        for (int i = 0; i < 8; i++) {
          int code = (int) (low >>> 8 * i & 0xFF | (high >>> 8 * i & 0xFF) << 8);
          int at = place(x, i);
          buffers.sums[at] = accumulator.add(buffers.sums[at], leaf(group, t, size, code));
        }
      }
    }
  }

  private double leaf(int group, int tree, int size, int code) {
    if (size > 1 << MAX_INDEX_BITS) {
      return doubles[first[group] + tree * size + code];
    }
    int low = first[group] + 2 * tree * size + code;
    return Double.longBitsToDouble(halves[low] & 0xFFFF_FFFFL | (long) halves[low + size] << 32);
  }

  /** Where the sum stands whose code is byte i of the group's long x. */
  private static int place(int x, int i) {
    return (x >>> 3) * CODES + ((i & 3) * 2 + (i >>> 2)) * 8 + (x & 7);
  }

  @Override
  public double sum(BlockBuffers buffers, int words, int document) {
    int x = (document & 7) * words + (document >>> 6);
    return buffers.sums[place(x, document >>> 3 & 7)];
  }

  @Override
  public long bytes() {
    return 4L * (halves.length + first.length) + 8L * doubles.length;
  }
}

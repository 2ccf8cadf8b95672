// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.simd.SimdSpecies;
import io.quickscorer.engine.simd.Specialized;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes leaf codes (phases 2 to 4 of {@link BitProgram}) with vectors, one document per bit.
 * Each vector width has its own copy of this class. Its many small loops pass no vector from method
 * to method; {@link Specialized} gives the reasons.
 */
final class SimdTreeKernel implements TreeKernel {
  private static final VectorSpecies<Long> LONGS =
      SimdSpecies.longs(SimdSpecies.bits(MethodHandles.lookup()));
  private static final Class<? extends Vector<Long>> TYPE = LONGS.vectorType();
  private static final int WORDS = LONGS.length();

  @Override
  public int words() {
    return WORDS;
  }

  @Override
  public void leafCodes(
      BitProgram program, int group, long[] bitmaps, long[] regions, long[] codes) {
    int rows = 8 * program.codeBytes(group);
    int trees = program.endTree(group) - program.firstTree(group);
    if (program.firstPlane()[group] < 0) {
      planes(program, group, bitmaps, regions, codes);
    } else {
      copy(program.planes(), program.firstPlane()[group], rows * trees, bitmaps, codes);
    }
    for (int octet = 0; octet < trees * rows * WORDS; octet += 8 * WORDS) {
      exchange(codes, octet, 1, 0x5555_5555_5555_5555L);
      exchange(codes, octet, 2, 0x3333_3333_3333_3333L);
      exchange(codes, octet, 4, 0x0F0F_0F0F_0F0F_0F0FL);
    }
  }

  /**
   * Computes the bits of the leaf codes of oblivious trees (with equal splits on a level): copies
   * the bitmaps of predicates, see {@link BitProgram#planes()}.
   */
  private static void copy(int[] planes, int from, int count, long[] bitmaps, long[] codes) {
    for (int i = 0; i < count; i++) {
      LongVector.fromArray(LONGS, bitmaps, planes[from + i] * WORDS).intoArray(codes, i * WORDS);
    }
  }

  /**
   * Computes the bits of the leaf codes of a group that has a tree with different splits on a
   * level.
   */
  private static void planes(
      BitProgram program, int group, long[] bitmaps, long[] regions, long[] codes) {
    int planes = program.codeBits()[group];
    int rows = 8 * program.codeBytes(group);
    int first = program.firstTree(group);
    int end = program.endTree(group);
    clearUnused(planes, rows, end - first, codes);
    int[] splits = program.splits();
    int[] firstSplit = program.firstSplit();
    int[] firstCherry = program.firstCherry();
    int[] firstFlip = program.firstFlip();
    int row = 0;
    for (int tree = first; tree < end; tree++, row += rows * WORDS) {
      split(splits, firstSplit[tree], firstCherry[tree], bitmaps, regions);
      cherries(splits, firstCherry[tree], firstSplit[tree + 1], bitmaps, regions, codes, row);
      planes(program.flips(), firstFlip[tree], firstFlip[tree + 1], regions, codes, row);
    }
  }

  /** Clears the unused bits of leaf codes. They still contain values of the previous group. */
  private static void clearUnused(int planes, int rows, int trees, long[] codes) {
    for (int tree = 0; tree < trees; tree++) {
      Arrays.fill(codes, (tree * rows + planes) * WORDS, (tree + 1) * rows * WORDS, 0);
    }
  }

  /**
   * For each split in [from, end), computes the bitmaps of the documents that reach its children.
   */
  private static void split(int[] splits, int from, int end, long[] bitmaps, long[] regions) {
    int child = 2 * WORDS;
    for (int i = from; i < end; i++, child += 2 * WORDS) {
      int split = splits[i];
      int at = (split >>> BitProgram.PREDICATE_BITS) * WORDS;
      int predicate = (split & BitProgram.PREDICATE_MASK) * WORDS;
      LongVector region = LongVector.fromArray(LONGS, regions, at);
      LongVector right = LongVector.fromArray(LONGS, bitmaps, predicate);
      region.lanewise(VectorOperators.AND_NOT, right).intoArray(regions, child);
      region.lanewise(VectorOperators.AND, right).intoArray(regions, child + WORDS);
    }
  }

  /**
   * For the splits [from, end), which have two leaves each, writes the XOR of the bitmaps of their
   * right leaves to {@code codes}, at index {@code row}. {@link #planes} uses it to compute bit 0
   * of the leaf codes.
   */
  private static void cherries(
      int[] splits, int from, int end, long[] bitmaps, long[] regions, long[] codes, int row) {
    LongVector plane = LongVector.zero(LONGS);
    for (int i = from; i < end; i++) {
      int split = splits[i];
      int at = (split >>> BitProgram.PREDICATE_BITS) * WORDS;
      int predicate = (split & BitProgram.PREDICATE_MASK) * WORDS;
      LongVector region = LongVector.fromArray(LONGS, regions, at);
      LongVector right = LongVector.fromArray(LONGS, bitmaps, predicate);
      LongVector leaf = region.lanewise(VectorOperators.AND, right);
      plane = leaf.lanewise(VectorOperators.XOR, (LongVector) TYPE.cast(plane));
    }
    ((LongVector) TYPE.cast(plane)).intoArray(codes, row);
  }

  /**
   * Computes all bits of a tree's leaf codes from the lists in {@link BitProgram#flips()}. The loop
   * has no branch: it stores each intermediate result, and the complete bit overwrites it.
   */
  private static void planes(
      short[] flips, int from, int end, long[] regions, long[] codes, int row) {
    LongVector plane = LongVector.fromArray(LONGS, codes, row);
    int to = row;
    for (int flip = from; flip < end; flip += 4) {
      int last = flips[flip + 3];
      int ends = last >> 31;
      LongVector a = LongVector.fromArray(LONGS, regions, flips[flip] * WORDS);
      LongVector b = LongVector.fromArray(LONGS, regions, flips[flip + 1] * WORDS);
      LongVector c = LongVector.fromArray(LONGS, regions, flips[flip + 2] * WORDS);
      LongVector d = LongVector.fromArray(LONGS, regions, (last ^ ends) * WORDS);
      LongVector two = a.lanewise(VectorOperators.XOR, b);
      LongVector others = c.lanewise(VectorOperators.XOR, d);
      LongVector before = (LongVector) TYPE.cast(plane);
      plane = two.lanewise(VectorOperators.XOR, others).lanewise(VectorOperators.XOR, before);
      plane.intoArray(codes, to);
      to -= ends * WORDS;
    }
  }

  /**
   * Performs one of the three steps that transpose squares of 8 x 8 bits. Exchanges the upper bits
   * of a row with the lower bits of the row that is {@code distance} rows further.
   *
   * @param distance 1, 2 or 4
   * @param lower the mask of the lower bits
   */
  private static void exchange(long[] codes, int octet, int distance, long lower) {
    LongVector mask = LongVector.broadcast(LONGS, lower);
    for (int i = 0; i < 4; i++) {
      int row = octet + ((i & -distance) << 1 | i & distance - 1) * WORDS;
      int below = row + distance * WORDS;
      LongVector a = (LongVector) TYPE.cast(LongVector.fromArray(LONGS, codes, row));
      LongVector b = (LongVector) TYPE.cast(LongVector.fromArray(LONGS, codes, below));
      b.lanewise(VectorOperators.LSHL, distance)
          .lanewise(VectorOperators.BITWISE_BLEND, a, mask)
          .intoArray(codes, row);
      b.lanewise(VectorOperators.BITWISE_BLEND, a.lanewise(VectorOperators.LSHR, distance), mask)
          .intoArray(codes, below);
    }
  }
}

package io.quickscorer.scorer.vector;

import io.quickscorer.scorer.bitsliced.BitProgram;
import io.quickscorer.scorer.bitsliced.TreeKernel;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Phases 2 to 4 of the bit-sliced scorer on bitmaps of one vector: as many documents as a vector
 * has bits. A copy exists per width, see {@link Specialized}.
 *
 * <p>The loops are many and small on purpose: the JIT stops inlining vector operations in a method
 * that has many of them, and then boxes every vector.
 */
final class BitTreeKernel implements TreeKernel {
  private static final VectorSpecies<Long> LONGS =
      Species.longs(Species.bits(MethodHandles.lookup()));
  private static final int WORDS = LONGS.length();

  @Override
  public int words() {
    return WORDS;
  }

  @Override
  public void leafCodes(
      BitProgram program, int group, long[] bitmaps, long[] regions, long[] codes) {
    int planes = program.codeBits(group);
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
    for (int octet = 0; octet < row; octet += 8 * WORDS) {
      exchangePairs(codes, octet);
      exchangeFours(codes, octet);
      exchangeEights(codes, octet);
    }
  }

  private static LongVector load(long[] from, int at) {
    return LongVector.fromArray(LONGS, from, at);
  }

  /** Planes past the codes' bits are part of the codes' bytes and hold the last group's bits. */
  private static void clearUnused(int planes, int rows, int trees, long[] codes) {
    LongVector zero = LongVector.zero(LONGS);
    for (int tree = 0; tree < trees; tree++) {
      for (int plane = planes; plane < rows; plane++) {
        zero.intoArray(codes, (tree * rows + plane) * WORDS);
      }
    }
  }

  /** Phase 2: the regions of both children of each split in [from, end). */
  private static void split(int[] splits, int from, int end, long[] bitmaps, long[] regions) {
    int child = 2 * WORDS;
    for (int i = from; i < end; i++, child += 2 * WORDS) {
      int split = splits[i];
      LongVector region = load(regions, (split >>> BitProgram.PREDICATE_BITS) * WORDS);
      LongVector right = load(bitmaps, (split & BitProgram.PREDICATE_MASK) * WORDS);
      region.lanewise(VectorOperators.AND_NOT, right).intoArray(regions, child);
      region.and(right).intoArray(regions, child + WORDS);
    }
  }

  /** The right leaves of the cherries [from, end): the first terms of plane 0. */
  private static void cherries(
      int[] splits, int from, int end, long[] bitmaps, long[] regions, long[] codes, int row) {
    LongVector plane = LongVector.zero(LONGS);
    for (int i = from; i < end; i++) {
      int split = splits[i];
      LongVector region = load(regions, (split >>> BitProgram.PREDICATE_BITS) * WORDS);
      LongVector right = load(bitmaps, (split & BitProgram.PREDICATE_MASK) * WORDS);
      plane = plane.lanewise(VectorOperators.XOR, region.and(right));
    }
    plane.intoArray(codes, row);
  }

  /**
   * Phase 3: a running XOR, four regions at a time. It is stored every time, and stays where the
   * last of the four ends a plane; so nothing branches on where planes end.
   */
  private static void planes(
      short[] flips, int from, int end, long[] regions, long[] codes, int row) {
    LongVector plane = load(codes, row);
    int to = row;
    for (int flip = from; flip < end; flip += 4) {
      int last = flips[flip + 3];
      int ends = last >> 31;
      LongVector two = xor(regions, flips[flip], flips[flip + 1]);
      LongVector others = xor(regions, flips[flip + 2], last ^ ends);
      plane = plane.lanewise(VectorOperators.XOR, two.lanewise(VectorOperators.XOR, others));
      plane.intoArray(codes, to);
      to -= ends * WORDS;
    }
  }

  private static LongVector xor(long[] regions, int a, int b) {
    return load(regions, a * WORDS).lanewise(VectorOperators.XOR, load(regions, b * WORDS));
  }

  /*
   * Phase 4: transposes each 8 x 8 bits of eight planes, by halves of pairs, of fours, of eights.
   * Afterwards byte i of long w of row j is the code of document 64 w + 8 i + j.
   */

  private static void exchangePairs(long[] codes, int octet) {
    LongVector mask = LongVector.broadcast(LONGS, 0x5555_5555_5555_5555L);
    for (int i = 0; i < 8; i += 2) {
      exchange(codes, octet + i * WORDS, 1, mask);
    }
  }

  private static void exchangeFours(long[] codes, int octet) {
    LongVector mask = LongVector.broadcast(LONGS, 0x3333_3333_3333_3333L);
    for (int i = 0; i < 4; i++) {
      exchange(codes, octet + ((i & 1) + 2 * (i & 2)) * WORDS, 2, mask);
    }
  }

  private static void exchangeEights(long[] codes, int octet) {
    LongVector mask = LongVector.broadcast(LONGS, 0x0F0F_0F0F_0F0F_0F0FL);
    for (int i = 0; i < 4; i++) {
      exchange(codes, octet + i * WORDS, 4, mask);
    }
  }

  private static void exchange(long[] codes, int row, int distance, LongVector mask) {
    LongVector a = load(codes, row);
    LongVector b = load(codes, row + distance * WORDS);
    b.lanewise(VectorOperators.LSHL, distance)
        .lanewise(VectorOperators.BITWISE_BLEND, a, mask)
        .intoArray(codes, row);
    b.lanewise(VectorOperators.BITWISE_BLEND, a.lanewise(VectorOperators.LSHR, distance), mask)
        .intoArray(codes, row + distance * WORDS);
  }
}

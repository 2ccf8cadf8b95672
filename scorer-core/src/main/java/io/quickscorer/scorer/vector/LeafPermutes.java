package io.quickscorer.scorer.vector;

import io.quickscorer.scorer.bitsliced.BitProgram;
import io.quickscorer.scorer.bitsliced.LeafTable;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Looks leaf codes up in tables of ints by 512-bit permutes: 16 documents at once, the table in
 * registers. A permute takes its index from the lowest five bits of a lane and fetches from two
 * registers; further bits of the code choose between the results of several permutes.
 *
 * <p>The codes of 64 documents are one vector of bytes. Shifted by 0, 8, 16 or 24 bits, its ints
 * have the codes of 16 of them in their lowest bits; what stands above does not matter.
 */
final class LeafPermutes {
  /** Codes of more bits are cheaper to look up one by one. */
  private static final int MAX_CODE_BITS = 7;

  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_512;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;

  private LeafPermutes() {}

  /** Whether the codes of all trees are short enough. */
  static boolean suits(BitProgram program) {
    for (int group = 0; group < program.groups(); group++) {
      if (program.codeBits(group) > MAX_CODE_BITS) {
        return false;
      }
    }
    return true;
  }

  static int indexBits(BitProgram program, int group) {
    return LeafTable.indexBits(program.codeBits(group));
  }

  static int trees(BitProgram program, int group) {
    return program.endTree(group) - program.firstTree(group);
  }

  /** The codes, shifted, of the 64 documents whose bytes are the eight longs from {@code at} on. */
  static IntVector codes(long[] codes, int at, int shift) {
    return LongVector.fromArray(LONGS, codes, at)
        .reinterpretAsInts()
        .lanewise(VectorOperators.LSHR, shift);
  }

  /** Lanes whose index has a bit set. */
  static VectorMask<Integer> bit(IntVector index, int bit) {
    return index.lanewise(VectorOperators.LSHL, 31 - bit).compare(VectorOperators.LT, 0);
  }

  static IntVector look32(IntVector index, int[] tables, int at) {
    return index.selectFrom(ints(tables, at), ints(tables, at + 16));
  }

  static IntVector look64(IntVector index, VectorMask<Integer> bit5, int[] tables, int at) {
    return look32(index, tables, at).blend(look32(index, tables, at + 32), bit5);
  }

  static IntVector look128(
      IntVector index, VectorMask<Integer> bit5, VectorMask<Integer> bit6, int[] tables, int at) {
    return look64(index, bit5, tables, at).blend(look64(index, bit5, tables, at + 64), bit6);
  }

  static IntVector ints(int[] from, int at) {
    return IntVector.fromArray(INTS, from, at);
  }
}

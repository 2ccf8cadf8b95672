// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/** Computes leaf codes (phases 2 to 4 of {@link BitProgram}) without vectors. */
final class LongTreeKernel implements TreeKernel {
  @Override
  public int words() {
    return 1;
  }

  @Override
  public void leafCodes(
      BitProgram program, int group, long[] bitmaps, long[] regions, long[] codes) {
    int planes = program.codeBits()[group];
    int rows = 8 * program.codeBytes(group);
    int row = 0;
    int plane = program.firstPlane()[group];
    if (plane >= 0) {
      int end = rows * (program.endTree(group) - program.firstTree(group));
      for (; row < end; row += 8) {
        for (int k = 0; k < 8; k++) {
          codes[row + k] = bitmaps[program.planes()[plane + row + k]];
        }
        BitTranspose.transpose(codes, row, 1);
      }
      return;
    }
    for (int tree = program.firstTree(group); tree < program.endTree(group); tree++) {
      int[] splits = program.splits();
      int cherry = program.firstCherry()[tree];
      split(splits, program.firstSplit()[tree], cherry, bitmaps, regions);
      long plane0 = cherries(splits, cherry, program.firstSplit()[tree + 1], bitmaps, regions);
      int[] firstFlip = program.firstFlip();
      planes(program.flips(), firstFlip[tree], firstFlip[tree + 1], plane0, regions, codes, row);
      for (int unused = planes; unused < rows; unused++) {
        codes[row + unused] = 0;
      }
      for (int octet = 0; octet < rows; octet += 8) {
        BitTranspose.transpose(codes, row + octet, 1);
      }
      row += rows;
    }
  }

  /**
   * For each split in [from, end), computes the bitmaps of the documents that reach its children.
   */
  private static void split(int[] splits, int from, int end, long[] bitmaps, long[] regions) {
    int child = 2;
    for (int i = from; i < end; i++, child += 2) {
      int split = splits[i];
      long region = regions[split >>> BitProgram.PREDICATE_BITS];
      long right = bitmaps[split & BitProgram.PREDICATE_MASK];
      regions[child] = region & ~right;
      regions[child + 1] = region & right;
    }
  }

  /**
   * For the splits [from, end), which have two leaves each, returns the XOR of the bitmaps of their
   * right leaves. {@link #planes} uses it to compute bit 0 of the leaf codes.
   */
  private static long cherries(int[] splits, int from, int end, long[] bitmaps, long[] regions) {
    long plane = 0;
    for (int i = from; i < end; i++) {
      int split = splits[i];
      plane ^=
          regions[split >>> BitProgram.PREDICATE_BITS] & bitmaps[split & BitProgram.PREDICATE_MASK];
    }
    return plane;
  }

  /**
   * Computes all bits of a tree's leaf codes from the lists in {@link BitProgram#flips()}. The loop
   * has no branch: it stores each intermediate result, and the complete bit overwrites it.
   */
  private static void planes(
      short[] flips, int from, int end, long plane0, long[] regions, long[] codes, int row) {
    long plane = plane0;
    int to = row;
    for (int flip = from; flip < end; flip += 4) {
      int last = flips[flip + 3];
      int ends = last >> 31;
      plane ^=
          regions[flips[flip]]
              ^ regions[flips[flip + 1]]
              ^ regions[flips[flip + 2]]
              ^ regions[last ^ ends];
      codes[to] = plane;
      to -= ends;
    }
  }
}

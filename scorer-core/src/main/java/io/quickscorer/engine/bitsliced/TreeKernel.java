// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Computes the codes of the leaves that documents reach, from the bitmaps of predicates (phases 2
 * to 4 of {@link BitProgram}). Safe for use by several threads.
 */
interface TreeKernel {
  /** Returns the number of 64-bit words of a bitmap: 1, 2, 4 or 8. */
  int words();

  /**
   * Computes the leaf codes of all documents of a block, in each tree of a group.
   *
   * <p>The codes of a tree are bytes, in 8 rows of {@link #words()} longs: byte i of long w of row
   * j is the code of document 64 w + 8 i + j. If codes have over 8 bits, the next 8 rows have their
   * high bytes. The rows of the next tree follow.
   *
   * @param bitmaps the bitmaps of all predicates
   * @param regions has room for {@link BitProgram#regions()} bitmaps; the caller has set {@link
   *     BitProgram#ALL} and {@link BitProgram#NONE}
   * @param codes receives the codes, from index 0 on
   */
  void leafCodes(BitProgram program, int group, long[] bitmaps, long[] regions, long[] codes);
}

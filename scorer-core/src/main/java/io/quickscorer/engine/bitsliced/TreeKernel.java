// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/** Phases 2 to 4: from predicate bitmaps to leaf codes. Safe for several threads. */
interface TreeKernel {
  /** Returns the number of words of a bitmap: 1, 2, 4 or 8. */
  int words();

  /**
   * Finds the leaf codes of all documents of a block in the trees of a group.
   *
   * <p>The codes of a tree are bytes, in 8 rows of {@link #words()} longs: the byte i of long w of
   * row j is the code of document 64 w + 8 i + j. Codes of over 8 bits have their low bytes in such
   * rows and their high bytes in 8 rows that follow. Tree after tree.
   *
   * @param bitmaps the predicates' bitmaps
   * @param regions room for {@link BitProgram#regions()} bitmaps; {@link BitProgram#ALL} and {@link
   *     BitProgram#NONE} are set
   * @param codes receives the codes, from index 0 on
   */
  void leafCodes(BitProgram program, int group, long[] bitmaps, long[] regions, long[] codes);
}

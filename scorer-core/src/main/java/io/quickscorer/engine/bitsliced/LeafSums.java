// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Adds up the values of the leaves that each document reaches, in tree order and with the precision
 * (float or double) of the ensemble. Safe for use by several threads.
 */
interface LeafSums {
  /** Sets all sums of a block, whose bitmaps have {@code words} longs, to the initial score. */
  void start(BlockBuffers buffers, int words);

  /**
   * Adds, for each document, the values of the leaves that it reaches in a group of trees. The
   * codes of these leaves are in {@link BlockBuffers#codes}.
   *
   * @param words the number of 64-bit words of a bitmap
   * @param documents the number of documents in the block; the sums of further documents are
   *     undefined
   */
  void add(int group, BlockBuffers buffers, int words, int documents);

  /**
   * Returns the sum of the leaf values of one document, including the initial score.
   *
   * @param words the number of 64-bit words of a bitmap
   */
  double sum(BlockBuffers buffers, int words, int document);

  long bytes();
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Adds the values of the exit leaves, in tree order and with the precision of the ensemble. Safe
 * for use by several threads.
 */
interface LeafSums {
  /** Sets the sums of all documents in a block to the initial score. */
  void start(BlockBuffers buffers, int words);

  /**
   * Adds the values of the exit leaves of a group of trees. Their codes are in {@link
   * BlockBuffers#codes}.
   *
   * @param words the number of words of a bitmap
   * @param documents the number of documents in the block; the sums of further documents are
   *     undefined
   */
  void add(int group, BlockBuffers buffers, int words, int documents);

  /** Returns the sum of a document, which is its score. */
  double sum(BlockBuffers buffers, int words, int document);

  long bytes();
}

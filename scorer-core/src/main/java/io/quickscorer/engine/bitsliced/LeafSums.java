// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Phase 5: adds the exit leaves' values to the documents' sums, in tree order and in the ensemble's
 * accumulator. Safe for several threads.
 */
interface LeafSums {
  /** Sets the sums of a block to the initial score. */
  void start(BlockBuffers buffers, int words);

  /**
   * Adds the leaves of a group's trees, whose codes are in {@link BlockBuffers#codes}.
   *
   * @param documents documents of the block; sums of further ones are undefined
   */
  void add(int group, BlockBuffers buffers, int words, int documents);

  /** Returns a document's sum. */
  double sum(BlockBuffers buffers, int words, int document);

  /** Returns the bytes of the leaf tables. */
  long bytes();
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/** Phase 1: from one feature's values to its predicates' bitmaps. Safe for several threads. */
interface BitmapKernel {
  /**
   * Writes the bitmaps of all of a feature's predicates for a block of documents. Bits of documents
   * past the block are of no meaning.
   *
   * @param values holds the block's values from index {@code from} on; padded to a multiple of 64
   *     documents
   * @param documents documents of the block, 1 to 64 * words
   * @param predicates the feature's predicates
   * @param words words of a bitmap
   * @param bitmaps receives predicate p's bitmap from word {@code p * words} on; a few words after
   *     the last predicate may be overwritten, so features go in ascending order
   * @param buffers to work in
   */
  void build(
      float[] values,
      int from,
      int documents,
      FeaturePredicates predicates,
      int words,
      long[] bitmaps,
      BlockBuffers buffers);
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Computes bitmaps from feature values: one bitmap per predicate (test of a feature), one bit per
 * document. Safe for use by several threads.
 */
interface BitmapKernel {
  /**
   * Computes the bitmaps of all predicates (tests) on a feature for a block of documents. Bits
   * after the last document are undefined. May overwrite a few words after the last bitmap, where
   * the next feature's bitmaps begin, so callers must process features in ascending order.
   *
   * @param values contains the block's values from index {@code from} on; values up to the next
   *     multiple of 64 documents can be read, and have no meaning
   * @param documents the number of documents in the block, 1 to 64 * words
   * @param predicates the feature's predicates
   * @param words the number of 64-bit words of a bitmap
   * @param bitmaps receives the bitmap of predicate p from word {@code p * words} on
   * @param buffers working memory
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A tree block of 32-bit words, laid out for a group of documents at a time: a word of the scalar
 * form becomes a row of one word per document, and the numeric lists name rows.
 *
 * @param falseNodes the block
 * @param rows start of the row of each numeric entry
 * @param masks the numeric masks in 32 bits
 * @param firstLeaves for each word, the index of its lowest bit among the block's leaf values
 */
record LaneBlock(FalseNodes falseNodes, int[] rows, int[] masks, int[] firstLeaves) {
  static LaneBlock of(FalseNodes block, int lanes) {
    FalseNodes.Lists numeric = block.numeric();
    return new LaneBlock(
        block,
        IntStream.of(numeric.words()).map(word -> word * lanes).toArray(),
        LongStream.of(numeric.masks()).mapToInt(mask -> (int) mask).toArray(),
        firstLeaves(block));
  }

  private static int[] firstLeaves(FalseNodes block) {
    int[] firstLeaves = new int[block.words()];
    for (int t = 0; t < block.trees(); t++) {
      int leaf = block.leafStarts()[t];
      for (int w = block.firstWords()[t]; w < block.firstWords()[t + 1]; w++) {
        firstLeaves[w] = leaf;
        leaf += Integer.SIZE;
      }
    }
    return firstLeaves;
  }

  long bytes() {
    return falseNodes.bytes() + 4L * (rows.length + masks.length + firstLeaves.length);
  }
}

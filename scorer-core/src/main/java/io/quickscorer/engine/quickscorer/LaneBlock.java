// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A block of trees for scoring several documents at once. Each 32-bit word of the trees' bitvectors
 * becomes a row of words, one per document.
 *
 * @param falseNodes the same trees in the form for scoring one document
 * @param rows for each entry of {@link FalseNodes#numeric}, the index of its row's first word
 * @param masks for each entry of {@link FalseNodes#numeric}, its mask in 32 bits
 * @param firstLeaves for each word, the index of the leaf value for the word's lowest bit
 */
record LaneBlock(FalseNodes falseNodes, int[] rows, int[] masks, int[] firstLeaves)
    implements TreeBlockScorer.Block {
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

  @Override
  public long bytes() {
    return falseNodes.bytes() + 4L * (rows.length + masks.length + firstLeaves.length);
  }
}

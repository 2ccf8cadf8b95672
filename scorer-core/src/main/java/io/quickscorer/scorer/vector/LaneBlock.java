package io.quickscorer.scorer.vector;

import io.quickscorer.scorer.quick.FalseNodes;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A tree block laid out for {@code lanes} documents at a time: the bitvectors of a tree are a row
 * of one element per document, and every list names rows instead of trees.
 *
 * @param falseNodes the block
 * @param rows where the row of each numeric split's tree starts
 * @param intMasks low halves of the numeric masks where trees have at most 32 leaves, else empty
 */
record LaneBlock(FalseNodes falseNodes, int[] rows, int[] intMasks) {
  static LaneBlock of(FalseNodes block, int lanes, boolean narrow) {
    FalseNodes.Lists numeric = block.numeric();
    return new LaneBlock(
        block,
        IntStream.of(numeric.trees()).map(tree -> tree * lanes).toArray(),
        narrow
            ? LongStream.of(numeric.masks()).mapToInt(mask -> (int) mask).toArray()
            : new int[0]);
  }

  long bytes() {
    return falseNodes.bytes() + 4L * rows.length + 4L * intMasks.length;
  }
}

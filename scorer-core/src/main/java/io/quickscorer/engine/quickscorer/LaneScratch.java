// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.scorer.Scratch;

/**
 * The buffers that one thread uses to score a group of documents.
 *
 * @param leaves the bitvectors of a block of trees: for each word of the bitvectors, one row with
 *     one element per document. In the end, the first row of each tree contains the index of the
 *     leaf that each document reaches
 * @param values the values of one feature, as {@link FalseNodes#read} returns them for a column
 * @param sums one sum per document
 */
record LaneScratch(int[] leaves, float[] values, double[] sums) implements Scratch {
  @Override
  public long bytes() {
    return 4L * (leaves.length + values.length) + 8L * sums.length;
  }
}

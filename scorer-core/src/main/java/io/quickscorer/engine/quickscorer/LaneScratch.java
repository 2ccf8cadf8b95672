// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.scorer.Scratch;

/**
 * Buffers of one thread for one group of documents.
 *
 * @param leaves the bitvectors of a tree block, one row of lanes per word; in the end, the first
 *     row of each tree holds the exit leaves
 * @param values one feature's values, as a column reads them
 * @param sums one sum per document
 */
record LaneScratch(int[] leaves, float[] values, double[] sums) implements Scratch {
  @Override
  public long bytes() {
    return 4L * (leaves.length + values.length) + 8L * sums.length;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Scratch;

/**
 * The keys of a batch, see {@link OrderedColumns}, and a buffer of the engine's own. Scorers of the
 * same engine can share one if each is done before the next begins.
 */
final class KeyScratch implements Scratch {
  private final int[] nodes;
  private final double[] leaves;
  private int[] keys = new int[0];

  /**
   * @param nodes elements of {@link #nodes}
   * @param leaves elements of {@link #leaves}
   */
  public KeyScratch(int nodes, int leaves) {
    this.nodes = new int[nodes];
    this.leaves = new double[leaves];
  }

  /** Fills the keys of documents [from, to). */
  public void fill(OrderedColumns columns, FeatureMatrix matrix, int from, int to) {
    int length = Math.multiplyExact(columns.count(), matrix.stride());
    if (keys.length < length) {
      keys = new int[length];
    }
    columns.fill(matrix, from, to, keys);
  }

  public int[] keys() {
    return keys;
  }

  public int[] nodes() {
    return nodes;
  }

  public double[] leaves() {
    return leaves;
  }

  @Override
  public long bytes() {
    return 4L * (keys.length + nodes.length) + 8L * leaves.length;
  }
}

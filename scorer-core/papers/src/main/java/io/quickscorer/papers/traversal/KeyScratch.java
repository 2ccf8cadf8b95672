// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Scratch;

/**
 * The keys of a batch (feature values as integers, see {@link OrderedColumns}), and a buffer for
 * the engine. Several scorers of one engine can share an instance if only one of them scores at a
 * time.
 */
final class KeyScratch implements Scratch {
  private final int[] nodes;
  private final double[] leaves;
  private int[] keys = new int[0];

  public KeyScratch(int nodes, int leaves) {
    this.nodes = new int[nodes];
    this.leaves = new double[leaves];
  }

  /** Converts the feature values of documents [from, to) to keys, and stores the keys. */
  public void fill(OrderedColumns columns, FeatureMatrix matrix, int from, int to) {
    int length = Math.toIntExact(FeatureMatrix.cells(columns.count(), matrix.documents()));
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

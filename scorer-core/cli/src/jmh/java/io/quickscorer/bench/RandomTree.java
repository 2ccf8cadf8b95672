// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import java.util.SplittableRandom;

/**
 * A tree grown leaf by leaf at random, for writing model files of it.
 *
 * @param feature of each split
 * @param threshold of each split
 * @param left of each split: a split's number, or {@code ~leaf}
 * @param right the same
 * @param value of each leaf
 */
record RandomTree(int[] feature, double[] threshold, int[] left, int[] right, double[] value) {
  static final int FEATURES = 136;

  static RandomTree of(SplittableRandom random, int leaves) {
    int splits = leaves - 1;
    RandomTree tree =
        new RandomTree(
            new int[splits],
            new double[splits],
            new int[splits],
            new int[splits],
            new double[leaves]);
    int[] parents = new int[leaves];
    parents[0] = -1;
    for (int split = 0; split < splits; split++) {
      // Leaf i becomes this split; it stays as its left child, the new leaf is its right one.
      int leaf = random.nextInt(split + 1);
      int parent = parents[leaf];
      if (parent >= 0 && tree.left[parent] == ~leaf) {
        tree.left[parent] = split;
      } else if (parent >= 0) {
        tree.right[parent] = split;
      }
      tree.feature[split] = random.nextInt(FEATURES);
      tree.threshold[split] = random.nextDouble(-10, 100);
      tree.left[split] = ~leaf;
      tree.right[split] = ~(split + 1);
      parents[leaf] = split;
      parents[split + 1] = split;
    }
    for (int leaf = 0; leaf < leaves; leaf++) {
      tree.value[leaf] = random.nextDouble(-0.1, 0.1);
    }
    return tree;
  }

  int splits() {
    return feature.length;
  }

  int nodes() {
    return 2 * splits() + 1;
  }

  /** The parent of each node; of the root what XGBoost writes there. */
  int[] parents() {
    int[] parents = new int[nodes()];
    parents[0] = Integer.MAX_VALUE;
    for (int split = 0; split < splits(); split++) {
      parents[node(left[split])] = split;
      parents[node(right[split])] = split;
    }
    return parents;
  }

  /** The number of a child among all nodes, splits first. */
  int node(int child) {
    return child >= 0 ? child : splits() + ~child;
  }
}

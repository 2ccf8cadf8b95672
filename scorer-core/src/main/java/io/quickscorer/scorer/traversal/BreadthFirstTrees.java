package io.quickscorer.scorer.traversal;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;

/**
 * All trees' splits in parallel arrays, tree after tree, each breadth-first from its root.
 *
 * @param roots per tree, its first split, or {@code ~leaf} for a tree of one leaf
 * @param numericOnly per tree, whether no split is categorical or takes zero for missing
 * @param splits per split, its number in its {@link Tree}
 * @param features per split, the feature it tests
 * @param thresholds per split, its bound, NaN at a categorical one
 * @param missingLeft per split, whether a missing value goes left
 * @param children per split, left child at twice its index and right child after it: a split's
 *     index, or {@code ~leaf}
 * @param leafValues leaf values, tree after tree, left to right
 */
record BreadthFirstTrees(
    int[] roots,
    boolean[] numericOnly,
    int[] splits,
    int[] features,
    float[] thresholds,
    boolean[] missingLeft,
    int[] children,
    double[] leafValues) {

  static BreadthFirstTrees of(TreeEnsemble ensemble) {
    int splits = Math.toIntExact(ensemble.shape().splits());
    int leaves = Math.toIntExact(ensemble.shape().leaves());
    List<Tree> trees = ensemble.trees();
    BreadthFirstTrees flat =
        new BreadthFirstTrees(
            new int[trees.size()],
            new boolean[trees.size()],
            new int[splits],
            new int[splits],
            new float[splits],
            new boolean[splits],
            new int[2 * splits],
            new double[leaves]);
    int split = 0;
    int leaf = 0;
    for (int t = 0; t < trees.size(); t++) {
      flat.put(t, trees.get(t), split, leaf);
      split += trees.get(t).splits();
      leaf += trees.get(t).leaves();
    }
    return flat;
  }

  private void put(int t, Tree tree, int firstSplit, int firstLeaf) {
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      leafValues[firstLeaf + leaf] = tree.leafValue(leaf);
    }
    roots[t] = tree.splits() == 0 ? ~firstLeaf : firstSplit;
    numericOnly[t] = true;
    // The queue of splits to come is the array of split numbers itself.
    int end = firstSplit + Math.min(1, tree.splits());
    for (int at = firstSplit; at < end; at++) {
      int split = splits[at];
      features[at] = tree.feature(split);
      thresholds[at] = tree.threshold(split);
      missingLeft[at] = tree.missing(split).left();
      numericOnly[t] &= tree.categories(split) == null && !tree.missing(split).zeroIsMissing();
      for (int side = 0; side < 2; side++) {
        int child = side == 0 ? tree.left(split) : tree.right(split);
        if (child < 0) {
          children[2 * at + side] = ~(firstLeaf + ~child);
        } else {
          splits[end] = child;
          children[2 * at + side] = end++;
        }
      }
    }
  }

  long bytes() {
    return 5L * roots.length + 21L * splits.length + 8L * leafValues.length;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The splits of all trees in parallel arrays, in breadth-first or in random order.
 *
 * @param roots for each tree, the index of its first split; for a tree without splits, {@code ~i},
 *     where i is the index of its leaf in {@code leafValues}
 * @param numericOnly for each tree, whether all splits are numeric and none treats 0 as missing
 * @param splits for each split, its index in its {@link Tree}
 * @param features for each split, the index of the feature that it tests
 * @param thresholds for each split, its threshold; NaN for a categorical split
 * @param missingLeft for each split, whether a missing value goes left
 * @param children the left child of split i at 2i, the right child at 2i + 1; each is encoded as in
 *     {@code roots}
 * @param leafValues the leaf values of one tree after the other, from left to right
 */
record FlatTrees(
    int[] roots,
    boolean[] numericOnly,
    int[] splits,
    int[] features,
    float[] thresholds,
    boolean[] missingLeft,
    int[] children,
    double[] leafValues) {

  static FlatTrees breadthFirst(TreeEnsemble ensemble, CompileProgress progress) {
    int splits = Math.toIntExact(ensemble.shape().splits());
    int leaves = Math.toIntExact(ensemble.shape().leaves());
    List<Tree> trees = ensemble.trees();
    FlatTrees flat =
        new FlatTrees(
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
      progress.report(t, trees.size());
      flat.put(t, trees.get(t), split, leaf);
      split += trees.get(t).splits();
      leaf += trees.get(t).leaves();
    }
    return flat;
  }

  /** Returns a copy of these trees whose splits are in random order in memory. */
  FlatTrees shuffled(SplittableRandom random, CompileProgress progress) {
    int[] places = new int[splits.length];
    for (int i = 0; i < places.length; i++) {
      reportSome(progress, i, 2 * places.length);
      int j = random.nextInt(i + 1);
      places[i] = places[j];
      places[j] = i;
    }
    FlatTrees moved =
        new FlatTrees(
            roots.clone(),
            numericOnly,
            new int[splits.length],
            new int[splits.length],
            new float[splits.length],
            new boolean[splits.length],
            new int[children.length],
            leafValues);
    for (int t = 0; t < roots.length; t++) {
      moved.roots[t] = roots[t] < 0 ? roots[t] : places[roots[t]];
    }
    for (int i = 0; i < places.length; i++) {
      reportSome(progress, places.length + i, 2 * places.length);
      int to = places[i];
      moved.splits[to] = splits[i];
      moved.features[to] = features[i];
      moved.thresholds[to] = thresholds[i];
      moved.missingLeft[to] = missingLeft[i];
      for (int side = 0; side < 2; side++) {
        int child = children[2 * i + side];
        moved.children[2 * to + side] = child < 0 ? child : places[child];
      }
    }
    return moved;
  }

  /** Reports progress for every 1,024th split only; a report for each split would take long. */
  private static void reportSome(CompileProgress progress, int done, int all) {
    if ((done & 1023) == 0) {
      progress.report(done, all);
    }
  }

  private void put(int t, Tree tree, int firstSplit, int firstLeaf) {
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      leafValues[firstLeaf + leaf] = tree.leafValue(leaf);
    }
    roots[t] = tree.splits() == 0 ? ~firstLeaf : firstSplit;
    numericOnly[t] = true;
    // The array of split numbers is also the queue of the splits that must be processed.
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

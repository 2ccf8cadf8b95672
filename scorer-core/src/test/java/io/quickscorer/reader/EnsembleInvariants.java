// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;

/**
 * What {@link Tree} and {@link TreeEnsemble} promise of themselves, checked without the code that
 * builds them.
 */
final class EnsembleInvariants {
  private EnsembleInvariants() {}

  /** Throws an {@link AssertionError} that names the tree and the node if a promise is broken. */
  static void check(TreeEnsemble ensemble, EnsembleLimits limits) {
    EnsembleShape shape = ensemble.shape();
    int features = ensemble.featureNames().size();
    expect(features <= limits.maxFeatures(), "too many features");
    expect(new HashSet<>(ensemble.featureNames()).size() == features, "a name is taken twice");
    expect(!ensemble.featureNames().contains(""), "an empty name");
    expect(ensemble.trees().isEmpty() == (ensemble.linear() != null), "trees or terms");
    expect(ensemble.trees().size() <= limits.maxTrees(), "too many trees");
    expect(Double.isFinite(ensemble.initialScore()), "initial score");
    expect(Double.isFinite(ensemble.scale()) && Double.isFinite(ensemble.bias()), "scale, bias");
    long leaves = 0;
    long splits = 0;
    for (int number = 0; number < ensemble.trees().size(); number++) {
      Tree tree = ensemble.trees().get(number);
      String at = "tree " + number;
      expect(tree.leaves() == tree.splits() + 1, at + ": splits and leaves");
      expect(tree.leaves() <= limits.maxLeaves(), at + ": too many leaves");
      expect(
          depthByWalk(tree, ensemble.columnNames().size(), limits, at) == tree.depth(),
          at + ": depth");
      expect(tree.depth() <= limits.maxDepth(), at + ": too deep");
      leaves += tree.leaves();
      splits += tree.splits();
    }
    expect(leaves + splits <= limits.maxNodes(), "too many nodes");
    expect(shape.leaves() == leaves && shape.splits() == splits, "counts of the shape");
    expect(shape.trees() == ensemble.trees().size(), "trees of the shape");
    expect(shape.features() == features && shape.usedFeatures() <= features, "features of shape");
  }

  /** Walks in preorder, left first: numbers must come up in order, each once. */
  private static int depthByWalk(Tree tree, int features, EnsembleLimits limits, String at) {
    Deque<int[]> open = new ArrayDeque<>();
    open.push(new int[] {tree.splits() == 0 ? ~0 : 0, 0});
    int split = 0;
    int leaf = 0;
    int deepest = 0;
    while (!open.isEmpty()) {
      int[] nodeAndDepth = open.pop();
      int node = nodeAndDepth[0];
      deepest = Math.max(deepest, nodeAndDepth[1]);
      if (node < 0) {
        expect(~node == leaf++, at + ": leaves are not in order");
        expect(Double.isFinite(tree.leafValue(~node)), at + ": leaf value");
      } else {
        expect(node == split++, at + ": splits are not in preorder");
        checkSplit(tree, node, features, limits, at + ", split " + node);
        open.push(new int[] {tree.right(node), nodeAndDepth[1] + 1});
        open.push(new int[] {tree.left(node), nodeAndDepth[1] + 1});
      }
    }
    expect(split == tree.splits() && leaf == tree.leaves(), at + ": nodes out of reach");
    return deepest;
  }

  private static void checkSplit(
      Tree tree, int node, int features, EnsembleLimits limits, String at) {
    expect(tree.feature(node) >= 0 && tree.feature(node) < features, at + ": feature");
    CategorySet set = tree.categories(node);
    if (set == null) {
      expect(!Float.isNaN(tree.threshold(node)), at + ": threshold");
      expect(Float.floatToRawIntBits(tree.threshold(node)) != 1 << 31, at + ": -0 as threshold");
    } else {
      expect(set.end() - 1 <= limits.maxCategory(), at + ": category");
    }
    expect(tree.missing(node) != null, at + ": missing rule");
  }

  private static void expect(boolean kept, String what) {
    if (!kept) {
      throw new AssertionError("broken promise: " + what);
    }
  }
}

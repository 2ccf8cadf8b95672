// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.List;

/**
 * Counts and maximum sizes of an ensemble of trees. They determine which engine is chosen.
 *
 * @param features the number of the model's features
 * @param usedFeatures the number of features that a split tests or a linear term multiplies
 * @param trees the number of trees; 0 for a linear model
 * @param maxLeaves the largest number of leaves of a tree
 * @param maxDepth the largest number of splits on a path from a root to a leaf
 * @param splits the number of splits of all trees
 * @param leaves the number of leaves of all trees
 * @param categoricalSplits the number of splits on a {@link CategorySet}
 * @param zeroMissingSplits the number of splits that treat zero as missing
 */
public record EnsembleShape(
    int features,
    int usedFeatures,
    int trees,
    int maxLeaves,
    int maxDepth,
    long splits,
    long leaves,
    long categoricalSplits,
    long zeroMissingSplits) {

  static EnsembleShape of(List<Tree> trees, int features, int usedFeatures) {
    int maxLeaves = 0;
    int maxDepth = 0;
    long splits = 0;
    long leaves = 0;
    long categorical = 0;
    long zeroMissing = 0;
    for (Tree tree : trees) {
      maxLeaves = Math.max(maxLeaves, tree.leaves());
      maxDepth = Math.max(maxDepth, tree.depth());
      splits += tree.splits();
      leaves += tree.leaves();
      for (int split = 0; split < tree.splits(); split++) {
        categorical += tree.categories(split) == null ? 0 : 1;
        zeroMissing += tree.missing(split).zeroIsMissing() ? 1 : 0;
      }
    }
    return new EnsembleShape(
        features,
        usedFeatures,
        trees.size(),
        maxLeaves,
        maxDepth,
        splits,
        leaves,
        categorical,
        zeroMissing);
  }
}

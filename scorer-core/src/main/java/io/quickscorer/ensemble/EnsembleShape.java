// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.List;

/**
 * Counts and maxima of an ensemble, by which a scorer is chosen.
 *
 * @param features features of the model
 * @param usedFeatures features that a split tests or a linear term weights
 * @param trees trees; 0 for a linear model
 * @param maxLeaves leaves of the largest tree
 * @param maxDepth splits on the longest path
 * @param splits splits of all trees
 * @param leaves leaves of all trees
 * @param categoricalSplits splits on a {@link CategorySet}
 * @param zeroMissingSplits splits for which zero is missing
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

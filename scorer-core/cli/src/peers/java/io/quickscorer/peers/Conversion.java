// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.peers;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.UnsupportedEnsembleException;

/** What the converted models have in common: float leaves that are summed in float. */
final class Conversion {
  /** Half the distance of floats near 1. */
  private static final double ROUNDING = 0x1p-24;

  /** So many times the usual error is still no surprise among thousands of documents. */
  private static final double MARGIN = 4;

  private Conversion() {}

  /**
   * @throws UnsupportedEnsembleException naming the first split that other formats cannot express
   *     as we do
   */
  static void check(String name, TreeEnsemble ensemble) {
    int number = 0;
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        String trouble =
            tree.categories(split) != null
                ? "on categories"
                : tree.missing(split).zeroIsMissing()
                    ? "with zero as a missing value"
                    : Float.isInfinite(tree.threshold(split)) ? "at infinity" : "";
        if (!trouble.isEmpty()) {
          throw new UnsupportedEnsembleException(
              name + ": tree " + number + ", node " + split + ": split " + trouble);
        }
      }
      number++;
    }
  }

  /** A leaf as the converted model holds it: scaled, rounded to float. */
  static float leaf(TreeEnsemble ensemble, Tree tree, int leaf) {
    return (float) (ensemble.weight() * tree.leafValue(leaf));
  }

  /** What the converted model's sum starts from. */
  static float base(TreeEnsemble ensemble) {
    return (float) (ensemble.rawScore(ensemble.initialScore()));
  }

  /**
   * How far sums in float may be from the reference's: four times the square root of the number of
   * trees, as independent roundings add up, in halves of a unit in the last place of the sum of
   * every tree's largest leaf. One wrong exit leaf is usually farther off, and wrong splits show in
   * many documents.
   */
  static double tolerance(TreeEnsemble ensemble) {
    double sum = Math.abs((double) base(ensemble));
    for (Tree tree : ensemble.trees()) {
      double largest = 0;
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        largest = Math.max(largest, Math.abs(ensemble.weight() * tree.leafValue(leaf)));
      }
      sum += largest;
    }
    return MARGIN * ROUNDING * Math.sqrt(ensemble.trees().size()) * sum;
  }
}

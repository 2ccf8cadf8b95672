package io.quickscorer.peers;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.UnsupportedEnsembleException;

/** What the converted models have in common: float leaves that are summed in float. */
final class Conversion {
  private static final double ROUNDING = 1e-6;

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
    return (float) (ensemble.scale() * tree.leafValue(leaf));
  }

  /** What the converted model's sum starts from. */
  static float base(TreeEnsemble ensemble) {
    return (float) (ensemble.scale() * ensemble.initialScore() + ensemble.bias());
  }

  /**
   * How far sums in float may be from the reference's: a millionth of the sum of every tree's
   * largest leaf. One wrong exit leaf is usually farther off, and wrong splits show in many
   * documents.
   */
  static double tolerance(TreeEnsemble ensemble) {
    double sum = Math.abs((double) base(ensemble));
    for (Tree tree : ensemble.trees()) {
      double largest = 0;
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        largest = Math.max(largest, Math.abs(ensemble.scale() * tree.leafValue(leaf)));
      }
      sum += largest;
    }
    return ROUNDING * sum;
  }
}

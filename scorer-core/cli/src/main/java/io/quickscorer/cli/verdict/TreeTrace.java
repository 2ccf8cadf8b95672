// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.LinearLeaves;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.List;

/** The leaves that one row reaches in all trees, and the row's scores after each tree. */
public final class TreeTrace {
  private final TreeEnsemble ensemble;
  private final int[] leaves;
  private final double[] scores;

  /** Computes the leaves and scores of one row of a matrix. */
  public TreeTrace(TreeEnsemble ensemble, FeatureMatrix matrix, int row) {
    this.ensemble = ensemble;
    FeatureMatrix columns = ScorerCompiler.columns(ensemble, matrix);
    this.leaves = new int[ensemble.trees().size()];
    this.scores = new double[leaves.length];
    double sum = ensemble.initialScore();
    double bags = 0;
    int bag = 0;
    int[] treesPerBag = ensemble.treesPerBag();
    int bagEnd = treesPerBag.length == 0 ? leaves.length : treesPerBag[0];
    for (int t = 0; t < leaves.length; t++) {
      Tree tree = ensemble.trees().get(t);
      int node = tree.splits() == 0 ? -1 : 0;
      while (node >= 0) {
        float value = columns.get(row, tree.feature(node));
        node = tree.goesLeft(node, value) ? tree.left(node) : tree.right(node);
      }
      leaves[t] = ~node;
      sum = ensemble.accumulator().add(sum, output(tree, ~node, columns, row));
      scores[t] = ensemble.rawScore(bags + sum);
      if (t + 1 == bagEnd && t + 1 < leaves.length) {
        bags += sum;
        sum = 0;
        bagEnd += treesPerBag[++bag];
      }
    }
  }

  private static double output(Tree tree, int leaf, FeatureMatrix matrix, int row) {
    LinearLeaves linear = tree.linearLeaves();
    double output = linear == null ? tree.leafValue(leaf) : linear.constant(leaf);
    for (int term = 0; linear != null && term < linear.terms(leaf); term++) {
      float value = matrix.get(row, linear.feature(leaf, term));
      if (Float.isNaN(value)) {
        return tree.leafValue(leaf);
      }
      output = linear.add(output, leaf, term, value);
    }
    return output;
  }

  /** Returns the index of the leaf that the row reaches in a tree. */
  public int leaf(int tree) {
    return leaves[tree];
  }

  /** Returns the initial score plus the row's leaf values in the trees 0 to {@code tree}. */
  public double score(int tree) {
    return scores[tree];
  }

  /**
   * Returns sentences about trees that may be wrong: trees in which another leaf would give the
   * expected raw score.
   *
   * @param wanted the expected raw score
   * @param max maximum number of trees
   */
  public List<String> suspects(double wanted, int max) {
    List<String> suspects = new ArrayList<>();
    double total = scores[scores.length - 1];
    for (int t = 0; t < leaves.length && suspects.size() < max; t++) {
      Tree tree = ensemble.trees().get(t);
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        double change = ensemble.weight() * (tree.leafValue(leaf) - tree.leafValue(leaves[t]));
        // Each of the later additions may round the sum differently.
        long bound = leaves.length - t + 1L;
        if (leaf != leaves[t]
            && change != 0
            && ensemble.scoreType().ulps(total + change, wanted) <= bound) {
          suspects.add(
              "tree "
                  + t
                  + " would explain the difference if its leaf were "
                  + leaf
                  + " instead of "
                  + leaves[t]);
          break;
        }
      }
    }
    return suspects;
  }
}

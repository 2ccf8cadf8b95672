// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.LinearLeaves;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.CompileProgress;
import java.util.List;

/**
 * Scores an ensemble with {@link LinearLeaves}: finds the leaves that documents reach, and computes
 * the leaves' linear functions. Each tree is compiled as a separate ensemble, in which the value of
 * a leaf is the leaf's index.
 */
public final class LinearLeafScorer extends PartwiseScorer {
  public LinearLeafScorer(TreeEnsemble ensemble, CompileProgress progress) {
    super(ensemble, compile(walks(ensemble), progress));
  }

  private static List<TreeEnsemble> walks(TreeEnsemble ensemble) {
    return ensemble.trees().stream()
        .map(
            tree ->
                TreeEnsemble.builder(ensemble.featureNames(), ensemble.source())
                    .trees(List.of(tree.ofLeafNumbers()))
                    .build())
        .toList();
  }

  @Override
  double start() {
    return ensemble().initialScore();
  }

  @Override
  void add(int number, double[] leaves, FeatureMatrix matrix, double[] sums) {
    Accumulator accumulator = ensemble().accumulator();
    Tree tree = ensemble().trees().get(number);
    for (int document = 0; document < matrix.documents(); document++) {
      double output = output(tree, (int) leaves[document], matrix, document);
      sums[document] = accumulator.add(sums[document], output);
    }
  }

  private static double output(Tree tree, int leaf, FeatureMatrix matrix, int document) {
    LinearLeaves linear = tree.linearLeaves();
    if (linear == null) {
      return tree.leafValue(leaf);
    }
    double output = linear.constant(leaf);
    for (int term = 0; term < linear.terms(leaf); term++) {
      float value = matrix.get(document, linear.feature(leaf, term));
      if (Float.isNaN(value)) {
        return tree.leafValue(leaf);
      }
      output = linear.add(output, leaf, term, value);
    }
    return output;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.LinearLeaves;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Scores an ensemble with {@link LinearLeaves}: finds the documents' exit leaves by {@link
 * VPredScorer}, tree by tree for the whole batch, then works out the functions that stand there.
 *
 * <p>Layout: each tree is an ensemble of its own, in which a leaf's value is its number.
 */
public final class LinearLeafScorer implements EnsembleScorer {
  /** Buffers of the walks, and the exit leaves in one tree. */
  private static final class Buffers implements Scratch {
    private final List<Scratch> walks;
    private double[] leaves = {};

    Buffers(List<Scratch> walks) {
      this.walks = walks;
    }

    @Override
    public long bytes() {
      return walks.stream().mapToLong(Scratch::bytes).sum() + (long) leaves.length * Double.BYTES;
    }
  }

  private final TreeEnsemble ensemble;
  private final List<EnsembleScorer> walks;

  private LinearLeafScorer(TreeEnsemble ensemble, List<EnsembleScorer> walks) {
    this.ensemble = ensemble;
    this.walks = walks;
  }

  public static LinearLeafScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    List<EnsembleScorer> walks = new ArrayList<>(ensemble.trees().size());
    for (Tree tree : ensemble.trees()) {
      progress.report(walks.size(), ensemble.trees().size());
      walks.add(
          VPredScorer.compile(
              TreeEnsemble.builder(ensemble.featureNames(), ensemble.source())
                  .trees(List.of(tree.ofLeafNumbers()))
                  .build()));
    }
    return new LinearLeafScorer(ensemble, walks);
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.VPRED;
  }

  @Override
  public long bytes() {
    return walks.stream().mapToLong(EnsembleScorer::bytes).sum();
  }

  @Override
  public Scratch newScratch() {
    return new Buffers(walks.stream().map(EnsembleScorer::newScratch).toList());
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    checkArguments(matrix, scores);
    Buffers buffers = (Buffers) scratch;
    int documents = matrix.documents();
    if (buffers.leaves.length < documents) {
      buffers.leaves = new double[documents];
    }
    Accumulator accumulator = ensemble.accumulator();
    Arrays.fill(scores, 0, documents, ensemble.initialScore());
    for (int t = 0; t < walks.size(); t++) {
      walks.get(t).score(matrix, buffers.walks.get(t), buffers.leaves);
      Tree tree = ensemble.trees().get(t);
      for (int document = 0; document < documents; document++) {
        double output = output(tree, (int) buffers.leaves[document], matrix, document);
        scores[document] = accumulator.add(scores[document], output);
      }
    }
    for (int document = 0; document < documents; document++) {
      scores[document] = ensemble.rawScore(scores[document]);
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

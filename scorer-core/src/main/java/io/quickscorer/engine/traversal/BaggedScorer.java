// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.traversal;

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
 * Scores an ensemble whose trees are summed in bags (RankLib's forests of several trees per bag):
 * each bag by {@link VPredScorer}, which takes every ensemble, and their sums in double, in order.
 */
public final class BaggedScorer implements EnsembleScorer {
  /** Buffers of the bags, and one bag's sums. */
  private static final class Buffers implements Scratch {
    private final List<Scratch> bags;
    private double[] sums = {};

    Buffers(List<Scratch> bags) {
      this.bags = bags;
    }

    @Override
    public long bytes() {
      return bags.stream().mapToLong(Scratch::bytes).sum() + (long) sums.length * Double.BYTES;
    }
  }

  private final TreeEnsemble ensemble;
  private final List<EnsembleScorer> bags;

  private BaggedScorer(TreeEnsemble ensemble, List<EnsembleScorer> bags) {
    this.ensemble = ensemble;
    this.bags = bags;
  }

  public static BaggedScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    List<TreeEnsemble> bags = ensemble.bags();
    List<EnsembleScorer> scorers = new ArrayList<>(bags.size());
    for (TreeEnsemble bag : bags) {
      progress.report(scorers.size(), bags.size());
      scorers.add(VPredScorer.compile(bag));
    }
    return new BaggedScorer(ensemble, scorers);
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
    return bags.stream().mapToLong(EnsembleScorer::bytes).sum();
  }

  @Override
  public Scratch newScratch() {
    return new Buffers(bags.stream().map(EnsembleScorer::newScratch).toList());
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    checkArguments(matrix, scores);
    Buffers buffers = (Buffers) scratch;
    int documents = matrix.documents();
    if (buffers.sums.length < documents) {
      buffers.sums = new double[documents];
    }
    double[] sums = buffers.sums;
    Arrays.fill(scores, 0, documents, 0);
    for (int bag = 0; bag < bags.size(); bag++) {
      bags.get(bag).score(matrix, buffers.bags.get(bag), sums);
      for (int document = 0; document < documents; document++) {
        scores[document] += sums[document];
      }
    }
    for (int document = 0; document < documents; document++) {
      scores[document] = ensemble.rawScore(scores[document]);
    }
  }
}

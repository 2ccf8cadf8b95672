// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.CompileProgress;

/** Scores an ensemble whose trees form bags (separate forests), such as a forest of RankLib. */
public final class BaggedScorer extends PartwiseScorer {
  public BaggedScorer(TreeEnsemble ensemble, CompileProgress progress) {
    super(ensemble, compile(ensemble.bags(), progress));
  }

  @Override
  double start() {
    return 0;
  }

  @Override
  void add(int bag, double[] scores, FeatureMatrix matrix, double[] sums) {
    for (int document = 0; document < matrix.documents(); document++) {
      sums[document] += scores[document];
    }
  }
}

package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;

final class VectorQuickScorer512Test extends VectorContract {
  VectorQuickScorer512Test() {
    super(512);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return VectorQuickScorer.compile(ensemble, bits);
  }
}

package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;

final class VectorQuickScorer128Test extends VectorContract {
  VectorQuickScorer128Test() {
    super(128);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return VectorQuickScorer.compile(ensemble, bits);
  }
}

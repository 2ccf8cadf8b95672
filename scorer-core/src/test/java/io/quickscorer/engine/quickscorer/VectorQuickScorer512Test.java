package io.quickscorer.engine.quickscorer;

import io.quickscorer.testing.VectorContract;
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

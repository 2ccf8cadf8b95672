package io.quickscorer.engine.quickscorer;

import io.quickscorer.testing.VectorContract;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;

final class RapidScorer128Test extends VectorContract {
  RapidScorer128Test() {
    super(128);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return RapidScorer.compile(ensemble, bits);
  }
}

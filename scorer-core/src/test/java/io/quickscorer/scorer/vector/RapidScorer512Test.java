package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;

final class RapidScorer512Test extends VectorContract {
  RapidScorer512Test() {
    super(512);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return RapidScorer.compile(ensemble, bits);
  }
}

package io.quickscorer.engine.traversal;

import io.quickscorer.testing.VectorContract;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;

final class GatherScorer128Test extends VectorContract {
  GatherScorer128Test() {
    super(128);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return GatherScorer.compile(ensemble, bits);
  }
}

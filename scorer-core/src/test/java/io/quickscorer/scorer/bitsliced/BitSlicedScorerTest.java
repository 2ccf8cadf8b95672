package io.quickscorer.scorer.bitsliced;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.ScorerContractTest;

final class BitSlicedScorerTest extends ScorerContractTest {
  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return BitSlicedScorer.compile(ensemble);
  }
}

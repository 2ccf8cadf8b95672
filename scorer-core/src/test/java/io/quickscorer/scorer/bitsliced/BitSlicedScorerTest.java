package io.quickscorer.scorer.bitsliced;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;

final class BitSlicedScorerTest extends BitSlicedContract {
  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return BitSlicedScorer.compile(ensemble);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.VectorContract;

final class RapidScorer256Test extends VectorContract {
  RapidScorer256Test() {
    super(256);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return RapidScorer.compile(ensemble, bits, CompileProgress.NONE);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.VectorContract;

final class RapidScorer512Test extends VectorContract {
  RapidScorer512Test() {
    super(512);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return RapidScorer.compile(ensemble, bits, CompileProgress.NONE);
  }
}

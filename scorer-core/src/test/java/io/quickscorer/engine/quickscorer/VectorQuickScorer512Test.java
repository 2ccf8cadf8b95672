// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.VectorContract;

final class VectorQuickScorer512Test extends VectorContract {
  VectorQuickScorer512Test() {
    super(512);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return VectorQuickScorer.compile(ensemble, bits, CompileProgress.NONE);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.VectorContract;

final class VectorQuickScorer128Test extends VectorContract {
  VectorQuickScorer128Test() {
    super(128);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return VectorQuickScorer.compile(ensemble, bits, CompileProgress.NONE);
  }
}

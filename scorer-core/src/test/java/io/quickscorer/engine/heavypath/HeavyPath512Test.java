// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;

final class HeavyPath512Test extends HeavyPathContract {
  HeavyPath512Test() {
    super(512);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return HeavyPathScorer.compile(ensemble, bits, CompileProgress.NONE);
  }
}

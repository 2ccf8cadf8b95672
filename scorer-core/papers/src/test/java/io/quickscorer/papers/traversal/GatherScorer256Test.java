// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.VectorContract;

final class GatherScorer256Test extends VectorContract {
  GatherScorer256Test() {
    super(256);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return GatherScorer.compile(ensemble, bits, CompileProgress.NONE);
  }
}

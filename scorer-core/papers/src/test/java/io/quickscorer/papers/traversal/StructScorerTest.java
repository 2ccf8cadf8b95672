// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.ScorerContractTest;

final class StructScorerTest extends ScorerContractTest {
  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return FlatTreeScorer.struct(ensemble, CompileProgress.NONE);
  }
}

package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.ScorerContractTest;
import org.junit.jupiter.api.BeforeAll;

final class GpuTraversalScorerTest extends ScorerContractTest {
  @BeforeAll
  static void standin() {
    Standin.require();
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return GpuTraversalScorer.compile(ensemble, GpuRuntime.get().next());
  }
}

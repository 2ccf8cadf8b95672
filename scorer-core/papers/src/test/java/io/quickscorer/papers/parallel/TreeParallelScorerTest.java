// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.papers.traversal.VPredScorer;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.ScorerContractTest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;

final class TreeParallelScorerTest extends ScorerContractTest {
  private final ExecutorService executor = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return TreeParallelScorer.compile(
        ensemble, inDouble -> new VPredScorer(inDouble, CompileProgress.NONE), executor, 3);
  }
}

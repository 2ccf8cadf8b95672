package io.quickscorer.scorer.parallel;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.quick.WideQuickScorer;
import io.quickscorer.testing.ScorerContractTest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;

final class DocumentParallelScorerTest extends ScorerContractTest {
  private final ExecutorService executor = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return new DocumentParallelScorer(WideQuickScorer.compile(ensemble), executor, 3);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.papers.quickscorer.WideQuickScorer;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DocumentParallelScorerTest extends ScorerContractTest {
  private final ExecutorService executor = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return new DocumentParallelScorer(
        new WideQuickScorer(ensemble, CompileProgress.NONE), executor, 3);
  }

  @Test
  void allWorkersBuffersAreCounted() {
    TreeEnsemble ensemble = RandomEnsembles.of(Seeds.random("parts")).trees(5).build();
    EnsembleScorer engine = new WideQuickScorer(ensemble, CompileProgress.NONE);
    assertEquals(3 * engine.scratchBytes(700), compile(ensemble).scratchBytes(700));
  }

  /** Many parts for each worker, and a last one of any size. */
  @Test
  void largeBatchesGiveTheSameBits() {
    TreeEnsemble ensemble = RandomEnsembles.of(Seeds.random("parts")).trees(5).build();
    EnsembleScorer one = new WideQuickScorer(ensemble, CompileProgress.NONE);
    for (int documents : new int[] {1_536, 1_537, 3_000, 6_145, 20_000}) {
      assertSameBits(one, compile(ensemble), documents);
    }
  }
}

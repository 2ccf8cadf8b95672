// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.papers.quickscorer.BlockwiseQuickScorer;
import io.quickscorer.papers.traversal.VPredScorer;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every compiled ensemble gets another order and other block sizes. */
final class PlannedScorerTest extends ScorerContractTest {
  private final SplittableRandom random = Seeds.random("plans");

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    BlockScorer engine =
        random.nextBoolean()
            ? BlockwiseQuickScorer.compile(ensemble, 1 + random.nextInt(20), CompileProgress.NONE)
            : new VPredScorer(ensemble, CompileProgress.NONE);
    LoopOrder[] orders = LoopOrder.values();
    return new PlannedScorer(
        engine,
        new ScoringPlan(
            engine.algorithm(),
            engine.treesPerUnit(),
            orders[random.nextInt(orders.length)],
            1 + random.nextInt(150),
            1 + random.nextInt(150)));
  }

  @Override
  protected int maxLeaves() {
    return BlockwiseQuickScorer.MAX_LEAVES;
  }

  @Test
  void aPlanForAnotherEngineIsRefused() {
    BlockScorer engine = new VPredScorer(RandomEnsembles.of(random).build(), CompileProgress.NONE);
    ScoringPlan plan = new ScoringPlan(BlockwiseQuickScorer.ALGORITHM, 10, LoopOrder.DSD, 64, 1);
    assertThrows(IllegalArgumentException.class, () -> new PlannedScorer(engine, plan));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import org.junit.jupiter.api.Test;

final class QuickScorerTest extends ScorerContractTest {
  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return QuickScorer.compile(ensemble, CompileProgress.NONE);
  }

  @Override
  protected int maxLeaves() {
    return QuickScorer.MAX_LEAVES;
  }

  @Test
  void namesTheTreeThatIsTooLarge() {
    TreeEnsemble ensemble =
        RandomEnsembles.of(Seeds.random("tooLarge")).trees(1).leaves(65, 65).build();
    UnsupportedEnsembleException e =
        assertThrows(
            UnsupportedEnsembleException.class,
            () -> QuickScorer.compile(ensemble, CompileProgress.NONE));
    assertEquals("QuickScorer: tree 0 has 65 leaves, at most 64 allowed", e.getMessage());
  }
}

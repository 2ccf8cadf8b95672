// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import java.util.SplittableRandom;
import org.junit.After;
import org.opensearch.test.OpenSearchTestCase;

/** A class of another module that is missing is no error that could end a node. */
public class BrokenModuleTests extends OpenSearchTestCase {
  private final TreeEnsemble ensemble =
      RandomEnsembles.of(new SplittableRandom(randomLong())).trees(3).build();

  @After
  public void mend() {
    PlantedDefects.broken = false;
  }

  public void testItsEngineIsRefused() {
    PlantedDefects.broken = true;
    UnsupportedEnsembleException refused =
        expectThrows(
            UnsupportedEnsembleException.class,
            () -> ScorerCompiler.compile(ensemble, Algorithm.GPU));
    assertTrue(
        refused.getMessage(),
        refused.getMessage().contains("its module could not be loaded: NoClassDefFoundError"));
  }

  public void testOtherModulesAreAskedForAnIndependentEngine() {
    Algorithm before = ScorerCompiler.independent(ensemble, Algorithm.OBJECT);
    PlantedDefects.broken = true;
    assertEquals(before, ScorerCompiler.independent(ensemble, Algorithm.OBJECT));
  }
}

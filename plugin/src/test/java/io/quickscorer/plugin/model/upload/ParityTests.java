// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Collections;
import java.util.List;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;

public class ParityTests extends OpenSearchTestCase {
  private final CircuitBreaker breaker =
      new HierarchyCircuitBreakerService(
              Settings.EMPTY,
              List.of(new BreakerSettings("requests", 1 << 20, 1.0)),
              new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
          .getBreaker("requests");

  private static Parity parity(float[] row, int rows) {
    return new Parity(Collections.nCopies(rows, row), new double[rows], false, 0);
  }

  /** Rows times features are charged before they exist, and not at all if a row has others. */
  public void testRowsAreChargedBeforeTheyAreColumns() throws Exception {
    EnsembleScorer scorer = ScorerCompiler.compile(TestModel.LIGHTGBM.ensemble(), Algorithm.OBJECT);
    try (MemoryCharge memory = MemoryCharge.none(breaker, "rows")) {
      int features = scorer.ensemble().featureNames().size();
      int rows = (1 << 20) / (Float.BYTES * features) + 1;
      expectThrows(
          CircuitBreakingException.class,
          () -> parity(new float[features], rows).check(scorer, memory));
      IllegalArgumentException refused =
          expectThrows(
              IllegalArgumentException.class,
              () -> parity(new float[0], rows).check(scorer, memory));
      assertEquals(
          "parity: row 0 has 0 values, but the model has " + features + " features",
          refused.getMessage());
      assertEquals(0, memory.bytes());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import org.opensearch.test.OpenSearchTestCase;

public class ScoreCombinationTests extends OpenSearchTestCase {
  /** Hits of score 0 and -0 would otherwise have another order than those of equal scores. */
  public void testZeroHasOneSign() {
    for (double zero : new double[] {0, -0.0, -Double.MIN_VALUE, Double.MIN_VALUE}) {
      assertEquals(0, Float.floatToRawIntBits(ScoreCombination.bounded(zero)));
    }
    assertEquals(-1e-30f, ScoreCombination.bounded(-1e-30f), 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.concurrent.TimeUnit;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class BodyChargeTests extends QuickScorerHttpTestCase {
  /** The server refuses it after the body was read and before an answer is asked for. */
  public void testBodyOfARequestWithAnUnknownParameterIsNotHeld() throws Exception {
    String body = "{\"model\": \"" + "m".repeat(100_000) + "\"}";
    for (String path : new String[] {"aliases/a", "feature_sets/f"}) {
      assertEquals(400, send("PUT", BASE + path + "?bogus=1", body).status());
    }
    assertBusy(
        () -> {
          for (CircuitBreakerService node :
              internalCluster().getInstances(CircuitBreakerService.class)) {
            assertEquals(0, node.getBreaker(CircuitBreaker.REQUEST).getUsed());
          }
        },
        60,
        TimeUnit.SECONDS);
  }
}

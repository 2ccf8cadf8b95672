// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.List;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;

public class BoundedContentTests extends OpenSearchTestCase {
  private static BoundedContent.Writing numbers(int count, int[] written) {
    return json -> {
      json.startArray();
      for (int i = 0; i < count; i++) {
        json.value(1_000_000 + i);
        json.flush();
        written[0]++;
      }
      json.endArray();
    };
  }

  public void testTooMuchIsRefusedWhileItIsWritten() {
    int[] written = {0};
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () -> BoundedContent.json(800, numbers(1_000_000, written)));
    assertEquals(
        "this JSON value takes more than 800 bytes as JSON or CBOR (binary JSON); make it smaller",
        e.getMessage());
    assertEquals(100, written[0], 2);
    assertEquals("[1000000,1000001]", BoundedContent.json(17, numbers(2, written)).utf8ToString());
  }

  public void testLargeStructuresAreChargedWhileTheyAreWritten() {
    int[] written = {0};
    CircuitBreaker breaker =
        new HierarchyCircuitBreakerService(
                Settings.EMPTY,
                List.of(new BreakerSettings("requests", 1 << 20, 1.0)),
                new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
            .getBreaker("requests");
    try (MemoryCharge memory = MemoryCharge.none(breaker, "a test")) {
      assertEquals(8001, BoundedContent.json(memory, numbers(1000, written)).length());
      assertEquals("a small one is free", 0, memory.bytes());
      int length = BoundedContent.json(memory, numbers(10_000, written)).length();
      assertTrue(memory.bytes() + " bytes", memory.bytes() >= length);
      memory.shrinkTo(0);
      written[0] = 0;
      expectThrows(
          CircuitBreakingException.class,
          () -> BoundedContent.json(memory, numbers(1_000_000, written)));
      assertTrue(written[0] + " numbers", 8L * written[0] < 2 << 20);
    }
    assertEquals(0, breaker.getUsed());
  }
}

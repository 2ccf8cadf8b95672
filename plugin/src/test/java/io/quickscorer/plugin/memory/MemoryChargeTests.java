// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;

public class MemoryChargeTests extends OpenSearchTestCase {
  private final CircuitBreaker breaker =
      new HierarchyCircuitBreakerService(
              Settings.EMPTY,
              List.of(new BreakerSettings("requests", 1000, 1.0)),
              new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
          .getBreaker("requests");

  /** Parts of a request, which refer to the charges of their memory. */
  private record Sections(MemoryCharge first, MemoryCharge second) {}

  /** As of a clause that was read in a body whose rest is refused. */
  public void testWhatAnOwnerTookEndsWithIt() throws Exception {
    MemoryCharge closed = MemoryCharge.take(breaker, 100, "closed");
    assertSame(closed, closed.owned());
    Sections owner = new Sections(MemoryCharge.take(breaker, 600, "owned").owned(), closed);
    closed.close();
    System.gc();
    MemoryCharge.take(breaker, 1, "another").close();
    assertEquals(600, breaker.getUsed());
    java.lang.ref.Reference.reachabilityFence(owner);
    owner = null;
    assertBusy(
        () -> {
          System.gc();
          MemoryCharge.take(breaker, 1, "another").close();
          assertEquals(0, breaker.getUsed());
        },
        60,
        TimeUnit.SECONDS);
    closed.close();
    assertEquals(0, breaker.getUsed());
  }

  /** As of code that forgets to close what it took. */
  public void testWhatNothingRefersToIsGivenBack() throws Exception {
    MemoryCharge kept = MemoryCharge.take(breaker, 100, "kept");
    MemoryCharge.take(breaker, 600, "forgotten");
    assertEquals(700, breaker.getUsed());
    assertBusy(
        () -> {
          System.gc();
          MemoryCharge.take(breaker, 1, "another").close();
          assertEquals(100, breaker.getUsed());
        },
        60,
        TimeUnit.SECONDS);
    kept.close();
    assertEquals(0, breaker.getUsed());
    expectThrows(CircuitBreakingException.class, () -> MemoryCharge.take(breaker, 2000, "much"));
    assertEquals(0, breaker.getUsed());
  }
}

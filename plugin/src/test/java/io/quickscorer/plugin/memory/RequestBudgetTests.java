// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import java.util.List;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;

public class RequestBudgetTests extends OpenSearchTestCase {
  private static final int LIMIT = 1 << 20;

  private final CircuitBreaker breaker =
      new HierarchyCircuitBreakerService(
              Settings.EMPTY,
              List.of(new BreakerSettings("requests", LIMIT, 1.0)),
              new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
          .getBreaker("requests");

  private RequestBudget budget(Settings settings) {
    return new RequestBudget(breaker, SearchSettings.of(settings));
  }

  public void testEverythingIsGivenBackAtOnce() {
    RequestBudget budget = budget(Settings.EMPTY);
    budget.render(1_000);
    budget.clauses(3, 3);
    budget.charge(500, "other");
    assertTrue(breaker.getUsed() > 1_000 + 500);
    assertEquals(1_000, budget.rendered());
    budget.close();
    assertEquals(0, breaker.getUsed());
    budget.close();
    assertEquals("only once", 0, breaker.getUsed());
    expectThrows(IllegalStateException.class, () -> budget.charge(1, "too late"));
    assertEquals(0, breaker.getUsed());
  }

  public void testWhatIsRefusedIsNotCharged() {
    try (RequestBudget budget = budget(Settings.EMPTY)) {
      budget.charge(100, "some");
      CircuitBreakingException e =
          expectThrows(CircuitBreakingException.class, () -> budget.render(LIMIT));
      assertTrue(e.getMessage(), e.getMessage().contains("rendered templates"));
      assertTrue(e.getMessage(), e.getMessage().contains("8388708"));
      assertEquals(100, breaker.getUsed());
      assertEquals(0, budget.rendered());
    }
    assertEquals(0, breaker.getUsed());
  }

  public void testLimitsSayWhatIsTooMuchAndWhichSettingAllowsMore() {
    Settings settings =
        Settings.builder()
            .put(SearchSettings.MAX_RENDERED_BYTES.getKey(), "2kb")
            .put(SearchSettings.MAX_CLAUSES.getKey(), 10)
            .put(SearchSettings.MAX_VALUES.getKey(), 99)
            .build();
    try (RequestBudget budget = budget(settings)) {
      budget.render(2_000);
      assertRefused(
          "2049, at most 2048 allowed by setting [quickscorer.search.max_rendered_bytes]",
          () -> budget.render(49));
      assertRefused(
          "11, at most 10 allowed by setting [quickscorer.search.max_clauses]",
          () -> budget.clauses(1, 11));
      assertRefused(
          "(10 x 10): 100, at most 99 allowed by setting [quickscorer.search.max_values]",
          () -> budget.checkValues(10, 10));
    }
    assertEquals(0, breaker.getUsed());
  }

  private static void assertRefused(String message, ThrowingRunnable body) {
    String actual = expectThrows(IllegalArgumentException.class, body).getMessage();
    assertTrue(actual, actual.endsWith(message));
  }

  /** Between the moment that a shard's queries are made and that its search begins. */
  public void testIsSuspendedAndResumed() {
    RequestBudget budget = budget(Settings.EMPTY);
    budget.charge(100, "queries");
    budget.suspend();
    assertEquals(0, breaker.getUsed());
    budget.resume();
    budget.resume();
    assertEquals(100, breaker.getUsed());
    budget.suspend();
    budget.close();
    budget.resume();
    assertEquals("nobody would give it back", 0, breaker.getUsed());
  }
}

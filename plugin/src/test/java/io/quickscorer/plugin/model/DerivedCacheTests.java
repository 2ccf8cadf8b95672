// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;

public class DerivedCacheTests extends OpenSearchTestCase {
  private static final int LIMIT = 1_000;

  private final CircuitBreaker breaker =
      new HierarchyCircuitBreakerService(
              Settings.EMPTY,
              List.of(new BreakerSettings("models", LIMIT, 1.0)),
              new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
          .getBreaker("models");
  private final Set<String> dead = new HashSet<>();
  private final List<Integer> closed = new ArrayList<>();
  private final DerivedCache<String, Integer> cache =
      new DerivedCache<>(
          () -> new ModelBreaker(breaker), key -> !dead.contains(key), value -> value, closed::add);

  private int use(String key, int bytes) {
    return cache.use(key, 1, () -> bytes, value -> value);
  }

  public void testWhatIsMadeIsChargedUntilItIsDropped() {
    assertEquals(100, use("a", 100));
    assertEquals("made once", 100, use("a", 999));
    assertEquals(100, breaker.getUsed());
    for (int i = 0; i < 8; i++) {
      use("b" + i, 10);
    }
    assertEquals("the eldest is dropped", List.of(100), closed);
    assertEquals(80, breaker.getUsed());
    dead.addAll(List.of("b0", "b1", "b2"));
    use("c", 5);
    assertEquals(55, breaker.getUsed());
    dead.addAll(List.of("b3", "c"));
    cache.purge();
    assertEquals(40, breaker.getUsed());
    cache.clear();
    assertEquals(0, breaker.getUsed());
  }

  public void testWhatIsInUseStays() {
    cache.use(
        "a",
        1,
        () -> 200,
        value -> {
          cache.clear();
          assertEquals(200, breaker.getUsed());
          assertEquals(List.of(), closed);
          return value;
        });
    assertEquals(List.of(200), closed);
    assertEquals(0, breaker.getUsed());
  }

  public void testWhatWentWhileItWasMadeGoesAfterItsUse() {
    int used =
        cache.use(
            "a",
            1,
            () -> {
              dead.add("a");
              cache.purge();
              return 100;
            },
            value -> {
              assertEquals(List.of(), closed);
              return value;
            });
    assertEquals(100, used);
    assertEquals(List.of(100), closed);
    assertEquals(0, breaker.getUsed());
  }

  public void testWhatIsCachedMakesRoomAndTooMuchIsRefused() {
    use("a", 200);
    int made =
        cache.use(
            "b",
            150,
            () -> {
              assertEquals("memory is reserved before", 150, breaker.getUsed());
              return 100;
            },
            value -> value);
    assertEquals(100, made);
    assertEquals("a share of the memory is not exceeded", List.of(200), closed);
    expectThrows(
        CircuitBreakingException.class, () -> cache.use("c", LIMIT / 2, () -> 1, value -> value));
    expectThrows(CircuitBreakingException.class, () -> use("c", LIMIT + 1));
    assertEquals("what was made is closed", List.of(200, LIMIT + 1), closed);
    assertEquals(100, breaker.getUsed());
    expectThrows(
        IllegalStateException.class,
        () ->
            cache.use(
                "d",
                1,
                () -> {
                  throw new IllegalStateException();
                },
                value -> value));
    assertEquals(100, breaker.getUsed());
  }
}

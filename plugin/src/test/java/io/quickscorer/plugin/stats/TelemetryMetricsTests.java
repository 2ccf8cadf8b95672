// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import java.util.List;
import java.util.Map;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.telemetry.TestInMemoryMetricsRegistry;

public class TelemetryMetricsTests extends OpenSearchTestCase {
  private static final Map<String, String> MODEL = Map.of("model", "m");

  private static double count(
      TestInMemoryMetricsRegistry registry, String name, Map<String, String> tags) {
    return registry
        .getCounterStore()
        .get("quickscorer." + name)
        .getCounterValueForTags()
        .getOrDefault(tags, 0d);
  }

  public void testWhatIsCountedIsRegistered() throws Exception {
    try (TestInMemoryMetricsRegistry registry = new TestInMemoryMetricsRegistry()) {
      RescoreStats stats = new RescoreStats();
      VerifyStats verified = new VerifyStats();
      ModelId id = new ModelId("m", "1");
      stats.bound(List.of(id), 5);
      TelemetryMetrics metrics = new TelemetryMetrics(registry);
      stats.sendTo(metrics);
      verified.sendTo(metrics);
      stats.bound(List.of(id), 5);
      stats.scored(id, 20, 300, 400_000);
      stats.scored(id, 10, 300, 500_000);
      stats.failed(List.of(id));
      stats.overBudget(List.of(id), () -> "", () -> "", 200, 5);
      Map<String, Double> expected =
          Map.of(
              "searches", 1d, "windows", 2d, "documents", 30d, "failures", 1d, "over_budget", 1d);
      expected.forEach(
          (name, value) -> assertEquals(name, value, count(registry, "model." + name, MODEL), 0));
      assertEquals(
          5e-4,
          registry
              .getHistogramStore()
              .get("quickscorer.model.score")
              .getHistogramValueForTags()
              .get(MODEL),
          0);
      assertEquals(2, stats.counts().of(id).counts().of(Measure.Model.SEARCHES));
      verified.verified(id, 7, 3);
      verified.count(Measure.Verify.REFERENCE_DISAGREEMENTS);
      assertEquals(3, count(registry, "verify.mismatches", MODEL), 0);
      assertEquals(1, count(registry, "verify.reference_disagreements", Map.of()), 0);
      stats.pipelines().of("shop").ignoredFailure();
      assertEquals(1, count(registry, "pipeline.ignored_failures", Map.of("pipeline", "shop")), 0);
    }
  }
}

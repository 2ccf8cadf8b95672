// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import java.util.List;
import java.util.Map;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.telemetry.TestInMemoryMetricsRegistry;

public class TelemetryMetricsTests extends OpenSearchTestCase {
  public void testWhatIsCountedIsRegistered() throws Exception {
    try (TestInMemoryMetricsRegistry registry = new TestInMemoryMetricsRegistry()) {
      RescoreStats stats = new RescoreStats();
      ModelId id = new ModelId("m", "1");
      stats.bound(List.of(id), 5);
      stats.sendTo(new TelemetryMetrics(registry));
      stats.bound(List.of(id), 5);
      stats.scored(id, 20, 300, 400);
      stats.scored(id, 10, 300, 500);
      stats.failed(List.of(id));
      stats.overBudget(List.of(id));
      Map<String, String> tags = Map.of("model", "m");
      Map<String, Double> expected =
          Map.of(
              "searches", 1d, "windows", 2d, "documents", 30d, "failures", 1d, "over_budget", 1d);
      expected.forEach(
          (name, value) ->
              assertEquals(
                  name,
                  value,
                  registry
                      .getCounterStore()
                      .get("quickscorer." + name)
                      .getCounterValueForTags()
                      .get(tags)));
      assertEquals(
          500d,
          registry
              .getHistogramStore()
              .get("quickscorer.score")
              .getHistogramValueForTags()
              .get(tags),
          0);
      assertEquals(2, stats.counts().of(id).searches());
    }
  }
}

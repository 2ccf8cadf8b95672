// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import org.opensearch.telemetry.metrics.Counter;
import org.opensearch.telemetry.metrics.Histogram;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.tags.Tags;

/** Counts in the server's registry of metrics, which sends them where the server is set to. */
public final class TelemetryMetrics implements Metrics {
  private static final String COUNT = "1";
  private static final String NANOSECONDS = "ns";

  private final Counter searches;
  private final Counter windows;
  private final Counter documents;
  private final Counter failures;
  private final Counter overBudget;
  private final Histogram extract;
  private final Histogram score;

  public TelemetryMetrics(MetricsRegistry registry) {
    searches = registry.createCounter("quickscorer.searches", "searches that named it", COUNT);
    windows = registry.createCounter("quickscorer.windows", "shard windows scored", COUNT);
    documents = registry.createCounter("quickscorer.documents", "documents scored", COUNT);
    failures = registry.createCounter("quickscorer.failures", "shard windows that failed", COUNT);
    overBudget =
        registry.createCounter("quickscorer.over_budget", "shard windows over budget", COUNT);
    extract = registry.createHistogram("quickscorer.extract", "a window's features", NANOSECONDS);
    score = registry.createHistogram("quickscorer.score", "a window's trees", NANOSECONDS);
  }

  @SuppressWarnings("deprecation") // what came instead is not in all versions that we build for
  private static Tags tags(String model) {
    return Tags.create().addTag("model", model);
  }

  @Override
  public void searched(String model) {
    searches.add(1, tags(model));
  }

  @Override
  public void scored(String model, int count, long extractNanos, long scoreNanos) {
    Tags tags = tags(model);
    windows.add(1, tags);
    documents.add(count, tags);
    extract.record(extractNanos, tags);
    score.record(scoreNanos, tags);
  }

  @Override
  public void failed(String model) {
    failures.add(1, tags(model));
  }

  @Override
  public void overBudget(String model) {
    overBudget.add(1, tags(model));
  }
}

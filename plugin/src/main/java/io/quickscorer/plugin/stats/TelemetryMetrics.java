// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.stats.Measure.Part;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.opensearch.telemetry.metrics.Counter;
import org.opensearch.telemetry.metrics.Histogram;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.tags.Tags;

/**
 * Sends counts to the server's registry of metrics. Settings of the server determine whether and
 * where the registry exports them.
 */
final class TelemetryMetrics implements Metrics {
  private static final String PREFIX = "quickscorer.";
  private static final String COUNT = "1";
  private static final String SECONDS = "s";
  private static final double NANOS_PER_SECOND = 1e9;

  private final MetricsRegistry registry;
  private final Map<Measure, Counter> counters = new HashMap<>();
  private final Map<Part, Histogram> times = new EnumMap<>(Part.class);

  public TelemetryMetrics(MetricsRegistry registry) {
    this.registry = registry;
    for (Class<? extends Measure> list :
        List.of(Measure.Model.class, Measure.Verify.class, Measure.Pipeline.class)) {
      for (Measure measure : list.getEnumConstants()) {
        counters.put(
            measure,
            registry.createCounter(
                PREFIX + measure.group() + "." + measure.label(), measure.help(), COUNT));
      }
    }
    for (Part part : RescoreStats.ModelCounters.PARTS) {
      times.put(
          part,
          registry.createHistogram(
              PREFIX + Measure.MODEL + "." + part.label(), part.help(), SECONDS));
    }
  }

  /**
   * Registers a gauge (a current value) in the server's registry of metrics.
   *
   * @param value returns the value when metrics are exported; called on a thread of the exporter
   */
  public void gauge(String name, String help, IntSupplier value) {
    registry.createGauge(PREFIX + name, help, COUNT, () -> (double) value.getAsInt(), Tags.EMPTY);
  }

  @SuppressWarnings(
      "deprecation") // its replacement is not in all OpenSearch versions of this project
  private static Tags tags(String key, String of) {
    return of.isEmpty() ? Tags.EMPTY : Tags.create().addTag(key, of);
  }

  @Override
  public void add(Measure measure, String of, long number) {
    String key = measure instanceof Measure.Pipeline ? Measure.PIPELINE : Measure.MODEL;
    Objects.requireNonNull(counters.get(measure)).add(number, tags(key, of));
  }

  @Override
  public void took(Part part, String model, long nanos) {
    Objects.requireNonNull(times.get(part))
        .record(nanos / NANOS_PER_SECOND, tags(Measure.MODEL, model));
  }
}

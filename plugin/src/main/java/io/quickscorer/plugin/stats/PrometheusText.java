// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Builds a text in Prometheus's text format, version 0.0.4. Samples may be added in any order. In
 * the text, they are grouped by metric: each metric has a help text, a type, and one line for each
 * sample.
 */
final class PrometheusText {
  private static final String PREFIX = "quickscorer_";
  private static final int NANO_DIGITS = 9;

  private final Map<String, StringBuilder> metrics = new LinkedHashMap<>();

  /**
   * Adds a sample of a gauge, a metric that can increase and decrease. A boolean is written as 0 or
   * 1.
   */
  public void gauge(String name, String help, SortedMap<String, String> labels, Number value) {
    line(metric(name, "gauge", help), PREFIX + name, labels, value);
  }

  /** Adds a sample of a counter, a metric that never decreases. */
  public void counter(String name, String help, SortedMap<String, String> labels, Number value) {
    String total = name + "_total";
    line(metric(total, "counter", help), PREFIX + total, labels, value);
  }

  /** Adds one sample for each counter of a group. */
  public <M extends Enum<M> & Measure> void counters(
      String group, SortedMap<String, String> labels, Counters.Reading<M> reading) {
    reading
        .counts()
        .forEach(
            (measure, count) ->
                counter(group + "_" + measure.label(), measure.help(), labels, count));
  }

  /**
   * Adds a histogram, in seconds, for each part of rescoring. As Prometheus requires, the count of
   * a bucket includes the counts of all buckets before it.
   */
  public void times(String group, SortedMap<String, String> labels, TimeCounters.Reading reading) {
    reading
        .times()
        .forEach(
            (part, times) -> {
              String name = group + "_" + part.label() + "_seconds";
              histogram(metric(name, "histogram", part.help()), PREFIX + name, labels, times);
            });
  }

  private static void histogram(
      StringBuilder metric,
      String name,
      SortedMap<String, String> labels,
      TimeCounters.Histogram.Reading times) {
    List<Long> counts = times.counts();
    SortedMap<String, String> bounded = new TreeMap<>(labels);
    long below = 0;
    // The last bucket is left out, because it has no upper bound.
    for (int c = 0; c < counts.size() - 1; c++) {
      below += counts.get(c);
      bounded.put("le", seconds(TimeCounters.Histogram.Reading.end(c)).toPlainString());
      line(metric, name + "_bucket", bounded, below);
    }
    long count = times.count();
    bounded.put("le", "+Inf");
    line(metric, name + "_bucket", bounded, count);
    line(metric, name + "_sum", labels, seconds(times.nanos()));
    line(metric, name + "_count", labels, count);
  }

  /** Converts nanoseconds to seconds, the unit that Prometheus requires. */
  public static BigDecimal seconds(long nanos) {
    return BigDecimal.valueOf(nanos, NANO_DIGITS).stripTrailingZeros();
  }

  private StringBuilder metric(String name, String type, String help) {
    return metrics.computeIfAbsent(
        name,
        made ->
            new StringBuilder()
                .append("# HELP " + PREFIX + name + " " + help + "\n")
                .append("# TYPE " + PREFIX + name + " " + type + "\n"));
  }

  private static void line(
      StringBuilder metric, String name, SortedMap<String, String> labels, Number value) {
    metric.append(name);
    String separator = "{";
    for (Map.Entry<String, String> label : labels.entrySet()) {
      metric.append(separator).append(label.getKey()).append("=\"");
      metric.append(escaped(label.getValue())).append('"');
      separator = ",";
    }
    metric.append(labels.isEmpty() ? " " : "} ").append(value).append('\n');
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Override
  public String toString() {
    return String.join("", metrics.values());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics in Prometheus' text format, version 0.0.4: metric by metric, each with its help, its type
 * and a line per set of labels.
 */
public final class PrometheusText {
  /** The answer's content type. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  /** Begins a metric. */
  public void metric(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  /** Adds a line of a metric. */
  public void value(String name, Map<String, String> labels, long value) {
    text.append(name);
    String separator = "{";
    for (Map.Entry<String, String> label : labels.entrySet()) {
      text.append(separator).append(label.getKey()).append("=\"");
      text.append(escaped(label.getValue())).append('"');
      separator = ",";
    }
    text.append(labels.isEmpty() ? " " : "} ").append(value).append('\n');
  }

  /** Adds the lines of a histogram: classes that each include those before, sum and count. */
  public void histogram(String name, Map<String, String> labels, TimeCounter.Reading times) {
    List<Long> counts = times.histogram().counts();
    long below = 0;
    // The last class has no end.
    for (int c = 0; c < counts.size() - 1; c++) {
      below += counts.get(c);
      String end = Long.toString(TimeHistogram.Reading.end(c));
      value(name + "_bucket", with(labels, end), below);
    }
    long count = times.histogram().count();
    value(name + "_bucket", with(labels, "+Inf"), count);
    value(name + "_sum", labels, times.nanos());
    value(name + "_count", labels, count);
  }

  private static Map<String, String> with(Map<String, String> labels, String end) {
    Map<String, String> all = new TreeMap<>(labels);
    all.put("le", end);
    return all;
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

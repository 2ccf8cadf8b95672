// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Results of a measurement, one line of JSON each, written at once so that a run that is cut off
 * leaves those it has.
 */
final class Results {
  private final PrintStream out;

  Results(PrintStream out) {
    this.out = out;
  }

  /**
   * @param step of the measurement
   * @param fields numbers, texts and truth values
   */
  synchronized void add(String step, Map<String, ?> fields) {
    String body =
        new TreeMap<>(fields)
            .entrySet().stream()
                .map(e -> "\"" + e.getKey() + "\":" + json(e.getValue()))
                .collect(Collectors.joining(","));
    out.println("{\"step\":\"" + step + "\"" + (body.isEmpty() ? "" : "," + body) + "}");
    out.flush();
  }

  private static String json(Object value) {
    if (value instanceof Double number) {
      return String.format(Locale.ROOT, "%.5g", number);
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    return "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}

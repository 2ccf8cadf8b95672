// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Formats of training files. In each, a float is written so that reading it gives the same float.
 */
public enum LogFormat {
  /**
   * {@code label qid:1 1:0.5 2:nan # id}. Every feature is written: to LightGBM an absent one is
   * zero, to XGBoost it is missing, and both read {@code nan}.
   */
  LIBSVM("text/plain; charset=UTF-8") {
    @Override
    String header(List<String> features) {
      return "";
    }

    @Override
    String row(Row row, int firstIndex) {
      StringBuilder line = new StringBuilder();
      line.append(number(row.label)).append(" qid:").append(row.qid);
      for (int f = 0; f < row.values.length; f++) {
        line.append(' ').append(f + firstIndex).append(':');
        line.append(Float.isNaN(row.values[f]) ? "nan" : Float.toString(row.values[f]));
      }
      return line.append(" # ")
          .append(row.id.replaceAll("\\p{Cntrl}", "?"))
          .append('\n')
          .toString();
    }
  },

  /** A header with the features' names; missing is an empty field. */
  CSV("text/csv; charset=UTF-8") {
    @Override
    String header(List<String> features) {
      StringBuilder line = new StringBuilder("label,qid,_id");
      features.forEach(name -> line.append(',').append(quoted(name)));
      return line.append('\n').toString();
    }

    @Override
    String row(Row row, int firstIndex) {
      StringBuilder line = new StringBuilder();
      line.append(number(row.label)).append(',').append(quoted(String.valueOf(row.qid)));
      line.append(',').append(quoted(row.id));
      for (float value : row.values) {
        line.append(',').append(Float.isNaN(value) ? "" : Float.toString(value));
      }
      return line.append('\n').toString();
    }

    private static String quoted(String text) {
      boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
      return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
  },

  /** First an object with {@code feature_names}, then one object per row; missing is null. */
  NDJSON("application/x-ndjson; charset=UTF-8") {
    @Override
    String header(List<String> features) throws IOException {
      try (XContentBuilder json = XContentFactory.jsonBuilder()) {
        return json.startObject().field("feature_names", features).endObject() + "\n";
      }
    }

    @Override
    String row(Row row, int firstIndex) throws IOException {
      try (XContentBuilder json = XContentFactory.jsonBuilder()) {
        json.startObject().field("qid", row.qid).field("_id", row.id);
        json.field("label", row.label).startArray("features");
        for (float value : row.values) {
          if (Float.isNaN(value)) {
            json.nullValue();
          } else {
            json.value(value);
          }
        }
        return json.endArray().endObject() + "\n";
      }
    }
  };

  private final String contentType;

  LogFormat(String contentType) {
    this.contentType = contentType;
  }

  /** One document of one query. */
  record Row(Object qid, String id, Number label, float[] values) {}

  abstract String header(List<String> features) throws IOException;

  abstract String row(Row row, int firstIndex) throws IOException;

  private static String number(Number label) {
    double value = label.doubleValue();
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  String contentType() {
    return contentType;
  }

  static LogFormat of(String label) {
    for (LogFormat format : values()) {
      if (format.name().toLowerCase(Locale.ROOT).equals(label)) {
        return format;
      }
    }
    throw new IllegalArgumentException("format: expected one of libsvm, csv, ndjson");
  }
}

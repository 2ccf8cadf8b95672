// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.ensemble.EnsembleShape;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The measured times of one contender (scorer) for one batch size: one row of a result table.
 *
 * @param label the name and properties of the contender
 * @param documents number of documents per batch
 * @param shape the size of the model
 * @param timing the times
 */
public record Row(Contender.Label label, int documents, EnsembleShape shape, Timing timing) {
  /** Suffix of the engine's name if the contender scores row-major arrays: {@link #fromRows}. */
  public static final String FROM_ROWS = " from rows";

  /** Returns the median time of the rounds, in ns per document and tree. */
  public double nanos() {
    return timing.median() / shape.trees();
  }

  /** Returns the 10th percentile of the rounds' times, in ns per document and tree. */
  public double low() {
    return timing.quantile(0.1) / shape.trees();
  }

  /** Returns the 90th percentile of the rounds' times, in ns per document and tree. */
  public double high() {
    return timing.quantile(0.9) / shape.trees();
  }

  /** Returns whether the contender scores row-major arrays (document by document), not matrices. */
  public boolean fromRows() {
    return label.engine().endsWith(FROM_ROWS);
  }

  /** Returns the rows as a JSON array, with one row per line. */
  public static String toJson(List<Row> rows) {
    StringBuilder json = new StringBuilder("[\n");
    for (Row row : rows) {
      json.append(json.length() > 2 ? ",\n" : "").append(row.toJson());
    }
    return json.append("\n]\n").toString();
  }

  private String toJson() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("engine", label.engine());
      writeNumber(json, "width", label.width());
      if (label.plan() == null) {
        json.writeNullProperty("plan");
      } else {
        json.writeStringProperty("plan", label.plan());
      }
      json.writeNumberProperty("docs", documents);
      json.writeNumberProperty("trees", shape.trees());
      json.writeNumberProperty("leaves", shape.maxLeaves());
      json.writeNumberProperty("features", shape.features());
      json.writeNumberProperty("threads", label.threads());
      json.writeNumberProperty("ns_per_doc_tree", rounded(nanos()));
      json.writeArrayPropertyStart("spread");
      json.writeNumber(rounded(low()));
      json.writeNumber(rounded(high()));
      json.writeEndArray();
      Double bytes = label.bytesPerTree();
      writeNumber(json, "bytes_per_tree", bytes == null ? null : Math.round(bytes));
      json.writeNumberProperty("alloc_bytes_per_doc", rounded(timing.allocatedPerDocument()));
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void writeNumber(JsonGenerator json, String name, @Nullable Number value) {
    if (value == null) {
      json.writeNullProperty(name);
    } else {
      json.writeNumberProperty(name, value.longValue());
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}

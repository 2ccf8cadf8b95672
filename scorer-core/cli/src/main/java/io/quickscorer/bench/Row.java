// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.cli.page.Json;
import io.quickscorer.ensemble.EnsembleShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("engine", label.engine());
    json.put("width", label.width());
    json.put("plan", label.plan());
    json.put("docs", documents);
    json.put("trees", shape.trees());
    json.put("leaves", shape.maxLeaves());
    json.put("features", shape.features());
    json.put("threads", label.threads());
    json.put("ns_per_doc_tree", rounded(nanos()));
    json.put("spread", List.of(rounded(low()), rounded(high())));
    Double bytes = label.bytesPerTree();
    json.put("bytes_per_tree", bytes == null ? null : Math.round(bytes));
    json.put("alloc_bytes_per_doc", rounded(timing.allocatedPerDocument()));
    return Json.of(json);
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}

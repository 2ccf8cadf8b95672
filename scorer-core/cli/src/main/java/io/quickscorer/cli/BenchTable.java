// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.bench.Contender.Label;
import io.quickscorer.bench.Row;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.Algorithm;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Formats the results of a benchmark as text, with a table for each batch size. */
final class BenchTable {
  private static final String HEADER = "%-14s %3s %10s %16s %10s %10s %9s %9s  %s%n";
  private static final String LINE = "%-14s %3d %10.3f %16s %10s %10s %9.0f %9s  %s%n";

  private BenchTable() {}

  static String of(List<Row> rows) {
    StringBuilder table = new StringBuilder();
    int documents = 0;
    for (Row row : rows) {
      if (row.documents() != documents) {
        documents = row.documents();
        table.append(table.isEmpty() ? "" : System.lineSeparator());
        header(row, table);
      }
      if (!row.fromRows()) {
        line(row, rows, table);
      }
    }
    return table.toString();
  }

  private static void header(Row row, StringBuilder table) {
    EnsembleShape shape = row.shape();
    table.append(
        String.format(
            Locale.ROOT,
            "%d trees, at most %d leaves, %d features, %d documents;"
                + " ns per document and tree, medians of %d turns%n",
            shape.trees(),
            shape.maxLeaves(),
            shape.features(),
            row.documents(),
            row.timing().turns().length));
    table.append(
        String.format(
            Locale.ROOT,
            HEADER,
            "engine",
            "thr",
            "ns",
            "p10..p90",
            "from rows",
            "bytes/tree",
            "alloc/doc",
            "x auto",
            "plan"));
  }

  private static void line(Row row, List<Row> rows, StringBuilder table) {
    Label label = row.label();
    Row fromRows = rowOf(row, label.engine() + Row.FROM_ROWS, rows);
    Row auto = rowOf(row, Algorithm.AUTO.label(), rows);
    Double bytes = label.bytesPerTree();
    boolean planned = fromRows != null && !Objects.equals(fromRows.label().plan(), label.plan());
    table.append(
        String.format(
            Locale.ROOT,
            LINE,
            label.engine(),
            label.threads(),
            row.nanos(),
            number("%.2f", row.low()) + ".." + number("%.2f", row.high()),
            fromRows == null || planned ? "" : number("%.3f", fromRows.nanos()),
            bytes == null ? "" : number("%.0f", bytes),
            row.timing().allocatedPerDocument(),
            auto == null ? "" : number("%.2f", row.timing().over(auto.timing())),
            label.plan() == null ? "" : label.plan()));
  }

  /**
   * Returns the result of an engine on one thread, for the batch size of {@code row}; null if there
   * is none.
   */
  private static @Nullable Row rowOf(Row row, String engine, List<Row> rows) {
    for (Row other : rows) {
      if (other.documents() == row.documents()
          && other.label().engine().equals(engine)
          && other.label().threads() == 1) {
        return other;
      }
    }
    return null;
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.bench.Row;
import io.quickscorer.cli.page.Html;
import io.quickscorer.ensemble.EnsembleShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Results as one HTML page: a table with bars for each number of documents. */
final class BenchPage {
  private BenchPage() {}

  /**
   * Writes a page.
   *
   * @param model the model's file
   * @param rows 1 or more
   */
  static void write(Path model, List<Row> rows, Path file) throws IOException {
    Files.writeString(file, of(String.valueOf(model.getFileName()), rows));
  }

  private static String of(String model, List<Row> rows) throws IOException {
    EnsembleShape shape = rows.getFirst().shape();
    StringBuilder page = new StringBuilder(Html.head("QuickScorer bench: " + model));
    page.append("<h1>").append(Html.escape(model)).append("</h1>");
    page.append(
        String.format(
            Locale.ROOT,
            "<p>%d trees, at most %d leaves, %d features. Engines took turns in one process; times"
                + " are medians of %d turns, with the range of the middle 80 %%. Every engine"
                + " that was timed gave the reference's bits.</p>",
            shape.trees(),
            shape.maxLeaves(),
            shape.features(),
            rows.getFirst().timing().turns().length));
    page.append("<p class=\"note\">");
    page.append(
        Html.escape(
            "Java "
                + Runtime.version()
                + ", "
                + System.getProperty("os.arch")
                + ", "
                + Runtime.getRuntime().availableProcessors()
                + " processors"));
    page.append("</p>");
    for (int size : rows.stream().map(Row::documents).distinct().toList()) {
      page.append("<h2>").append(size).append(size == 1 ? " document" : " documents");
      page.append(" per call</h2>");
      table(rows.stream().filter(row -> row.documents() == size).toList(), page);
    }
    return page.append("</body></html>\n").toString();
  }

  /** The fastest first; a bar is a speed. */
  private static void table(List<Row> rows, StringBuilder page) {
    List<Row> sorted = rows.stream().sorted(Comparator.comparingDouble(Row::nanos)).toList();
    double least = sorted.getFirst().nanos();
    page.append("<div class=\"scroll\"><table><tr><th>engine</th><th>threads</th>");
    page.append("<th>ns per document and tree</th><th>speed</th><th>from, to</th>");
    page.append("<th>\u00b5s per call</th><th>plan</th></tr>");
    for (Row row : sorted) {
      String plan = row.label().plan();
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s</td><td class=\"number\">%d</td><td class=\"number\">%.3f</td>"
                  + "<td><div class=\"speed\" style=\"width: calc(var(--full) * %.2f)\"></div></td>"
                  + "<td class=\"number\">%.3f, %.3f</td><td class=\"number\">%.1f</td>"
                  + "<td class=\"note\">%s</td></tr>",
              Html.escape(row.label().engine()),
              row.label().threads(),
              row.nanos(),
              least / row.nanos(),
              row.low(),
              row.high(),
              row.nanos() * row.shape().trees() * row.documents() / 1000,
              Html.escape(plan == null ? "" : plan)));
    }
    page.append("</table></div>");
  }
}

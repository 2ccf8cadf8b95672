// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.bench.Row;
import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import io.quickscorer.compile.Engines;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the results of a benchmark as an HTML page with plots and tables. */
final class BenchPage {
  private BenchPage() {}

  /** Writes the results, at least 1, as a page to a file. */
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
                + " are medians of %d turns, with the range of the middle 80 %%. The scores of"
                + " every timed engine are bit-identical to the reference's.</p>",
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
      List<Row> sorted =
          rows.stream()
              .filter(row -> row.documents() == size)
              .sorted(Comparator.comparingDouble(Row::nanos))
              .toList();
      plot(sorted, page);
      table(sorted, page);
    }
    sizing(rows, page);
    return page.append("</body></html>\n").toString();
  }

  /** Appends a plot of speeds to the page, with one bar per engine, timed with its fastest plan. */
  private static void plot(List<Row> sorted, StringBuilder page) {
    Map<String, Row> best = new LinkedHashMap<>();
    sorted.stream().filter(row -> !row.fromRows()).forEach(row -> best.putIfAbsent(name(row), row));
    page.append(
        Svg.bars(
            "speed of each engine",
            best.entrySet().stream()
                .map(entry -> new Svg.Bar(entry.getKey(), 1e3 / entry.getValue().nanos()))
                .toList()));
    page.append("<p class=\"note\">Documents × trees per microsecond.</p>");
  }

  private static String name(Row row) {
    int threads = row.label().threads();
    return threads == 1 ? row.label().engine() : row.label().engine() + " × " + threads;
  }

  /** Appends a table of the times of this library's fastest engine on one thread, by batch size. */
  private static void sizing(List<Row> rows, StringBuilder page) {
    Set<String> ownEngines =
        Engines.names().stream().map(Algorithm::label).collect(Collectors.toUnmodifiableSet());
    StringBuilder lines = new StringBuilder();
    for (int size : rows.stream().map(Row::documents).distinct().sorted().toList()) {
      Optional<Row> fastest =
          rows.stream()
              .filter(row -> row.documents() == size && row.label().threads() == 1)
              .filter(row -> ownEngines.contains(row.label().engine()))
              .min(Comparator.comparingDouble(Row::nanos));
      fastest.ifPresent(row -> size(row, lines));
    }
    if (!lines.isEmpty()) {
      page.append("<h2>Sizing</h2>");
      Html.table(page, "window\tengine\tms of one core\tcores for 1,000 windows a second");
      page.append(lines).append("</table></div><p class=\"note\">Times of the trees only,");
      page.append(" with the fastest engine on one thread. Features and the first pass of the");
      page.append(" search need additional time.</p>");
    }
  }

  private static void size(Row row, StringBuilder lines) {
    double millis = micros(row) / 1e3;
    lines.append(
        String.format(
            Locale.ROOT,
            "<tr><td class=\"number\">%,d</td><td>%s</td><td class=\"number\">%.4f</td>"
                + "<td class=\"number\">%.4f</td></tr>",
            row.documents(),
            Html.escape(row.label().engine()),
            millis,
            millis));
  }

  private static double micros(Row row) {
    return row.nanos() * row.shape().trees() * row.documents() / 1e3;
  }

  private static void table(List<Row> sorted, StringBuilder page) {
    Html.table(page, "engine\tthreads\tns per document and tree\tfrom, to\t\u00b5s per call\tplan");
    for (Row row : sorted) {
      String plan = row.label().plan();
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s</td><td class=\"number\">%d</td><td class=\"number\">%.3f</td>"
                  + "<td class=\"number\">%.3f, %.3f</td><td class=\"number\">%.1f</td>"
                  + "<td class=\"note\">%s</td></tr>",
              Html.escape(row.label().engine()),
              row.label().threads(),
              row.nanos(),
              row.low(),
              row.high(),
              micros(row),
              Html.escape(plan == null ? "" : plan)));
    }
    page.append("</table></div>");
  }
}

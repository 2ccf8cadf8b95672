// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints the figures of whole searches as tables, and writes them as JSON and as a chart. */
final class EndToEndReport {
  private static final JsonMapper JSON = new JsonMapper();
  private static final double MEGABYTE = 1e6;

  private final ObjectNode json = JSON.createObjectNode();
  private final ArrayNode cells = json.putArray("cells");
  private final ArrayNode fresh = json.putArray("fresh");
  private final Map<String, List<@Nullable Double>> bars = new LinkedHashMap<>();
  private final List<String> labels = new ArrayList<>();

  /**
   * The figures of one kind of search for one combination of sizes.
   *
   * @param way the name of the kind, such as {@code ours}, with the build's name if there are two
   *     builds
   * @param cost the median cost per search
   * @param net the cost minus that of a search which only collects the hits to rank
   * @param latencies the latencies of the searches in ns, in ascending order
   * @param perSecond maximum number of searches per second of all clients together
   */
  record Figures(
      String way,
      MeasuredSide.Cost cost,
      MeasuredSide.Cost net,
      long[] latencies,
      double perSecond) {}

  void setUp(String corpus, int documents, int filled, int queries) {
    json.put("corpus", corpus).put("documents", documents).put("queries", queries);
    json.put("processors", Runtime.getRuntime().availableProcessors());
    say(
        "%s, %d documents; %d of %d queries fill the largest window",
        corpus, documents, filled, queries);
  }

  void cell(EndToEndOptions.Cell cell, List<Figures> all) {
    say("%n%s", cell);
    say(
        "%-24s %8s %8s %9s %8s %7s %7s %7s %6s",
        "", "cpu ms", "net ms", "MB", "net MB", "p50", "p95", "p99", "1/s");
    labels.add(cell.toString());
    ObjectNode object = cells.addObject();
    object.put("window", cell.window()).put("model", cell.model()).put("features", cell.features());
    object.put("segments", cell.segments()).put("shards", cell.shards());
    object.put("clients", cell.clients());
    ObjectNode ways = object.putObject("ways");
    for (Figures figures : all) {
      double[] percentiles = new double[3];
      double[] shares = {0.5, 0.95, 0.99};
      for (int i = 0; i < shares.length; i++) {
        percentiles[i] = OpenLoop.percentileMillis(figures.latencies, shares[i]);
      }
      say(
          "%-24s %8.2f %8.2f %9.3f %8.3f %7.1f %7.1f %7.1f %6.0f",
          figures.way,
          figures.cost.cpuMillis(),
          figures.net.cpuMillis(),
          figures.cost.bytes() / MEGABYTE,
          figures.net.bytes() / MEGABYTE,
          percentiles[0],
          percentiles[1],
          percentiles[2],
          figures.perSecond);
      ways.putObject(figures.way)
          .put("cpu_ms", figures.cost.cpuMillis())
          .put("net_cpu_ms", figures.net.cpuMillis())
          .put("allocated_bytes", Math.round(figures.cost.bytes()))
          .put("net_allocated_bytes", Math.round(figures.net.bytes()))
          .put("p50_ms", percentiles[0])
          .put("p95_ms", percentiles[1])
          .put("p99_ms", percentiles[2])
          .put("searches_per_second", figures.perSecond);
      List<@Nullable Double> bar = bars.computeIfAbsent(figures.way, way -> new ArrayList<>());
      while (bar.size() < labels.size() - 1) {
        bar.add(null);
      }
      bar.add(figures.cost.cpuMillis());
    }
  }

  /** Reports that the node rejects a kind of search. */
  void refused(String way, String reason) {
    say("%-24s refused: %s", way, reason.substring(0, Math.min(reason.length(), 200)));
  }

  /** Reports the processor time, in ms, of each of the first searches after a node's start. */
  void fresh(String way, double[] millis) {
    ObjectNode object = fresh.addObject().put("way", way);
    ArrayNode total = object.putArray("cumulative_cpu_ms");
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < millis.length; i++) {
      total.add(millis[i]);
      if (i == 0 || (i + 1) % 10 == 0 && (i < 10 || (i + 1) % 50 == 0)) {
        line.append(String.format(Locale.ROOT, "  #%d %.0f", i + 1, millis[i]));
      }
    }
    int last = Math.max(0, millis.length - 20);
    double perSearch =
        (millis[millis.length - 1] - millis[last]) / Math.max(1, millis.length - 1 - last);
    object.put("last_searches_cpu_ms", perSearch);
    say(
        "fresh node, %s, cumulative cpu ms:%s; mean of the last searches: %.1f",
        way, line, perSearch);
  }

  void say(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve("endtoend.json");
    Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json));
    System.setProperty("java.awt.headless", "true");
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(300 + 40 * labels.size() * bars.size())
            .height(620)
            .title("Processor time of the node per search")
            .yAxisTitle("ms")
            .build();
    chart.getStyler().setXAxisLabelRotation(30);
    bars.forEach(
        (way, values) -> {
          while (values.size() < labels.size()) {
            values.add(null);
          }
          chart.addSeries(way, labels, values);
        });
    Path picture = folder.resolve("endtoend.svg");
    VectorGraphicsEncoder.saveVectorGraphic(chart, picture.toString(), VectorGraphicsFormat.SVG);
    say("%n%s%n%s", file, picture);
  }
}

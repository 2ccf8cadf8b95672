// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** What a soak looks like over time, as numbers and as pictures. */
final class SoakCurves {
  private static final double MEBI = 1 << 20;
  private static final double NANOS_PER_MILLI = 1e6;

  /** What a heap may grow by, from one third of a soak to the next, before it counts as growing. */
  private static final double MAX_GROWTH = 1.2;

  private final RealCluster cluster;
  private final long start = System.nanoTime();
  private final List<Double> minutes = new ArrayList<>();
  private final Map<String, List<Double>> heaps = new LinkedHashMap<>();
  private final Map<String, List<Double>> times = new LinkedHashMap<>();
  private final Map<String, List<Double>> rates = new LinkedHashMap<>();
  private double lastSeconds;
  private long lastSearches;
  private int lastChanges;

  SoakCurves(RealCluster cluster) {
    this.cluster = cluster;
  }

  private static void add(Map<String, List<Double>> curves, String name, double value) {
    curves.computeIfAbsent(name, none -> new ArrayList<>()).add(value);
  }

  /** Notes how things are now, and says it. */
  String sample(SearchLoad load, int changes) throws IOException, InterruptedException {
    double seconds = Duration.ofNanos(System.nanoTime() - start).toMillis() / 1e3;
    double passed = seconds - lastSeconds;
    long searches = load.searches();
    minutes.add(seconds / 60);
    List<Long> nanos = load.drainNanos().stream().sorted().toList();
    if (nanos.isEmpty()) {
      nanos = List.of(0L);
    }
    double median = nanos.get(nanos.size() / 2) / NANOS_PER_MILLI;
    double high = nanos.get((int) (nanos.size() * 0.99)) / NANOS_PER_MILLI;
    add(times, "median", median);
    add(times, "99th percentile", high);
    add(rates, "searches", (searches - lastSearches) / passed);
    add(rates, "changes of models and aliases", (changes - lastChanges) / passed);
    List<String> megabytes = new ArrayList<>();
    for (int node = 0; node < RealCluster.NODES; node++) {
      double heap = heapAfterCollection(node) / MEBI;
      add(heaps, RealCluster.name(node), heap);
      megabytes.add(String.format(Locale.ROOT, "%.1f", heap));
    }
    lastSeconds = seconds;
    lastSearches = searches;
    lastChanges = changes;
    return String.format(
        Locale.ROOT,
        "%.0f s: %d searches, %.1f a second, median %.0f ms, 99th percentile %.0f ms, %d changes,"
            + " heaps after collection %s MiB",
        seconds,
        searches,
        rates.get("searches").getLast(),
        median,
        high,
        changes,
        megabytes);
  }

  private long heapAfterCollection(int node) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    new ProcessBuilder(jcmd.toString(), Long.toString(cluster.pid(node)), "GC.run")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    return cluster
        .client(node)
        .get("/_nodes/_local/stats/jvm")
        .get("nodes")
        .iterator()
        .next()
        .at("/jvm/mem/heap_used_in_bytes")
        .asLong();
  }

  /** The least of the last third of a soak is hardly more than that of the one before. */
  void requireFlatHeap() {
    int third = minutes.size() / 3;
    heaps.forEach(
        (node, heap) -> {
          if (third > 0) {
            double middle = least(heap.subList(third, 2 * third));
            double last = least(heap.subList(2 * third, heap.size()));
            assertTrue(last < MAX_GROWTH * middle, node + ": " + heap);
          }
        });
  }

  private static double least(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  /** Writes {@code soak-heap.png}, {@code soak-time.png} and {@code soak-rate.png}. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    draw(folder.resolve("soak-heap.png"), "Heap after collection", "MiB", false, heaps);
    draw(folder.resolve("soak-time.png"), "Time of a search", "ms", false, times);
    draw(folder.resolve("soak-rate.png"), "Requests", "per second", true, rates);
    System.out.println(folder);
  }

  private void draw(
      Path file, String title, String unit, boolean log, Map<String, List<Double>> curves)
      throws IOException {
    System.setProperty("java.awt.headless", "true");
    XYChart chart =
        new XYChartBuilder()
            .width(760)
            .height(360)
            .title(title)
            .xAxisTitle("minutes")
            .yAxisTitle(unit)
            .build();
    chart.getStyler().setYAxisLogarithmic(log);
    if (!log) {
      chart.getStyler().setYAxisMin(0.0);
    }
    curves.forEach(
        (name, values) ->
            chart
                .addSeries(name, minutes, log ? positive(values) : values)
                .setMarker(SeriesMarkers.NONE));
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }

  /** A logarithmic scale has no 0. */
  private static List<Double> positive(List<Double> values) {
    return values.stream().map(value -> Math.max(value, 0.01)).toList();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import io.quickscorer.measure.EndToEndOptions.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/**
 * Reports how the cost of a search grows with each dimension, such as the number of ranked hits,
 * while all other dimensions have their base values. Writes a table and a chart for each dimension
 * with at least {@value #MIN_SIZES} values. Also lists steps: sizes whose net cost is more than
 * {@value #STEP} times the cost that linear growth predicts.
 */
final class Growth {
  private static final int MIN_SIZES = 3;
  private static final double STEP = 1.5;

  /** Maximum cost, in ms, that is treated as noise. */
  private static final double NOISE_MILLIS = 0.1;

  private enum Dimension {
    WINDOW(Cell::window),
    TREES(Cell::trees),
    FEATURES(Cell::features),
    SEGMENTS(Cell::segments),
    SHARDS(Cell::shards);

    private final ToIntFunction<Cell> size;

    Dimension(ToIntFunction<Cell> size) {
      this.size = size;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Cell base;
  private final Map<Dimension, TreeMap<Integer, List<EndToEndReport.Figures>>> sizes =
      new LinkedHashMap<>();

  /**
   * Creates a report without costs.
   *
   * @param cells the combinations of sizes; the first one has all base values
   */
  Growth(List<Cell> cells) {
    base = cells.getFirst();
    for (Dimension dimension : Dimension.values()) {
      if (cells.stream().mapToInt(dimension.size).distinct().count() >= MIN_SIZES) {
        sizes.put(dimension, new TreeMap<>());
      }
    }
  }

  /**
   * Adds the measured costs of searches for one combination of sizes, such as hits and trees.
   *
   * @param ways the figures of each kind of search
   */
  void add(Cell cell, List<EndToEndReport.Figures> ways) {
    List<EndToEndReport.Figures> shown =
        ways.stream()
            .filter(way -> way.way().equals("ours") || way.way().equals("global"))
            .toList();
    sizes.forEach(
        (dimension, bySize) -> {
          int size = dimension.size.applyAsInt(cell);
          if (cell.equals(base) || size != dimension.size.applyAsInt(base)) {
            bySize.put(size, shown);
          }
        });
  }

  /**
   * Prints the tables, writes the charts to a folder, and prints the steps (sizes at which costs
   * grow more than linearly) in the last line.
   */
  void write(Path folder) throws IOException {
    List<String> steps = new ArrayList<>();
    for (Map.Entry<Dimension, TreeMap<Integer, List<EndToEndReport.Figures>>> entry :
        sizes.entrySet()) {
      String label = entry.getKey().label();
      Map<String, TreeMap<Integer, Double>> ways = new LinkedHashMap<>();
      entry
          .getValue()
          .forEach(
              (size, all) ->
                  all.forEach(
                      way ->
                          ways.computeIfAbsent(way.way(), w -> new TreeMap<>())
                              .put(size, way.net().cpuMillis())));
      System.out.printf(Locale.ROOT, "%n%-12s", label);
      ways.keySet().forEach(way -> System.out.printf(Locale.ROOT, " %16s", way));
      System.out.println("  net cpu ms");
      for (int size : entry.getValue().keySet()) {
        System.out.printf(Locale.ROOT, "%-12d", size);
        ways.values()
            .forEach(
                costs ->
                    System.out.printf(
                        Locale.ROOT,
                        " %16s",
                        costs.containsKey(size)
                            ? String.format(Locale.ROOT, "%.2f", costs.get(size))
                            : ""));
        System.out.println();
      }
      ways.forEach((way, costs) -> addSteps(steps, label, way, costs));
      draw(folder.resolve("growth-" + label + ".png"), label, ways);
    }
    if (!sizes.isEmpty()) {
      System.out.println(
          steps.isEmpty()
              ? "\nno step above " + STEP + " times linear growth"
              : "\nsteps above " + STEP + " times linear growth: " + String.join("; ", steps));
    }
  }

  private static void addSteps(
      List<String> steps, String label, String way, TreeMap<Integer, Double> costs) {
    for (Map.Entry<Integer, Double> cost : costs.entrySet()) {
      Map.Entry<Integer, Double> before = costs.lowerEntry(cost.getKey());
      if (before != null) {
        double expected =
            Math.max(before.getValue(), NOISE_MILLIS) * cost.getKey() / before.getKey();
        double times = cost.getValue() / expected;
        if (times > STEP) {
          steps.add(
              String.format(
                  Locale.ROOT,
                  "%s from %d to %d %s %.1f",
                  way,
                  before.getKey(),
                  cost.getKey(),
                  label,
                  times));
        }
      }
    }
  }

  private static void draw(Path file, String label, Map<String, TreeMap<Integer, Double>> ways)
      throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(600)
            .height(380)
            .title("Processor time beyond collecting, per search")
            .xAxisTitle(label)
            .yAxisTitle("ms")
            .build();
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    ways.forEach(
        (way, costs) ->
            chart.addSeries(
                way,
                costs.keySet().stream().map(Integer::doubleValue).toList(),
                costs.values().stream().map(cost -> Math.max(cost, NOISE_MILLIS)).toList()));
    // A vector graphic of such a chart has up to 600 kB.
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}

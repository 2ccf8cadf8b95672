// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Results as a picture: a bar per engine and number of documents, on a logarithmic scale. */
public final class Chart {
  private static final int HEIGHT = 560;
  private static final int BAR = 28;
  private static final int MARGIN = 220;

  private Chart() {}

  /** Whether a file's name ends as one of a kind that {@link #write} knows. */
  public static boolean canWrite(Path file) {
    return isSvg(file) || file.toString().toLowerCase(Locale.ROOT).endsWith(".png");
  }

  private static boolean isSvg(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
  }

  /** Writes a picture of rows, 1 or more, of one model. */
  public static void write(List<Row> rows, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Map<String, Map<Integer, Double>> byName = new LinkedHashMap<>();
    List<Integer> sizes = rows.stream().map(Row::documents).distinct().toList();
    double least = Double.MAX_VALUE;
    for (Row row : rows) {
      if (!row.fromRows()) {
        String threads = row.label().threads() == 1 ? "" : " x" + row.label().threads();
        // Of an engine's plans the fastest is shown.
        byName
            .computeIfAbsent(row.label().engine() + threads, name -> new LinkedHashMap<>())
            .merge(row.documents(), row.nanos(), Math::min);
        least = Math.min(least, row.nanos());
      }
    }
    int bars = byName.size() * sizes.size();
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(MARGIN + BAR * Math.max(bars, 20))
            .height(HEIGHT)
            .title(
                String.format(
                    Locale.ROOT,
                    "%d trees of at most %d leaves",
                    rows.getFirst().shape().trees(),
                    rows.getFirst().shape().maxLeaves()))
            .yAxisTitle("ns per document and tree")
            .build();
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(least))));
    chart.getStyler().setXAxisLabelRotation(60);
    chart.getStyler().setLegendPosition(LegendPosition.InsideNE);
    for (int size : sizes) {
      List<Double> values = new ArrayList<>();
      for (Map<Integer, Double> of : byName.values()) {
        values.add(of.get(size));
      }
      chart.addSeries(size + " documents", List.copyOf(byName.keySet()), values);
    }
    if (isSvg(file)) {
      VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
    } else {
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }
  }
}

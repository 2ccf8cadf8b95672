// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.report;

import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Rankings with different quality and cost, measured on one cluster.
 *
 * @param searches number of searches that were timed for each ranking
 * @param features the features of the model that uses all of them
 * @param points the rankings; the first one uses all features
 */
public record Frontier(int searches, List<Feature> features, List<Point> points) {
  public Frontier {
    features = List.copyOf(features);
    points = List.copyOf(points);
  }

  /** A mean difference in NDCG, with its 95 % interval from a paired bootstrap over the queries. */
  public record Change(double mean, double low, double high) {
    String shown() {
      return String.format(Locale.ROOT, "%+.4f (%+.4f to %+.4f)", mean, low, high);
    }
  }

  /**
   * The times of a search with one ranking, as medians over all searches.
   *
   * @param searchMillis time of a whole search that the client measured, in ms
   * @param extractMicros time to extract features, summed over all shards, in µs
   * @param coreMicros processor time of rescoring (binding and extracting features, scoring,
   *     sorting), in µs
   */
  public record Times(double searchMillis, double extractMicros, double coreMicros) {}

  /**
   * The cost and the value of a feature.
   *
   * @param aloneMicros time per search to extract only this feature, in µs
   * @param savedMicros time per search that is saved without this feature, in µs; less than {@code
   *     aloneMicros} if it shares work with other features
   * @param permuted change in NDCG if the feature's values are shuffled among the hits
   * @param without change in NDCG if the model is trained without the feature
   */
  public record Feature(
      String name, double aloneMicros, double savedMicros, Change permuted, Change without) {}

  /**
   * A ranking by a model and a window size.
   *
   * @param features the features that the model tests
   * @param window number of hits that the model ranks
   * @param toBest difference in NDCG to the best ranking
   * @param isEqual whether the ranking is not significantly worse than the best one
   */
  public record Point(
      String name,
      List<String> features,
      int trees,
      int window,
      double ndcg,
      Change toBest,
      boolean isEqual,
      Times times) {}

  /**
   * Returns the ranking with the lowest processor time among those that are not significantly worse
   * than the best one.
   */
  public Point cheapestEqual() {
    return points.stream()
        .filter(Point::isEqual)
        .min(Comparator.comparingDouble(point -> point.times.coreMicros))
        .orElseThrow();
  }

  private Point best() {
    return points.stream().max(Comparator.comparingDouble(Point::ndcg)).orElseThrow();
  }

  /** Returns a sentence on the cheapest ranking that is not significantly worse than the best. */
  public String verdict() {
    Point best = best();
    Point cheap = cheapestEqual();
    Point all = points.getFirst();
    return String.format(
        Locale.ROOT,
        "cheapest ranking not distinguishable from the best (%s): %s, %d features, %d trees, window"
            + " %d; NDCG %s; times, of those of %s: features %.0f of %.0f µs, processor %.0f of"
            + " %.0f µs, search %.2f of %.2f ms",
        best.name,
        cheap.name,
        cheap.features.size(),
        cheap.trees,
        cheap.window,
        cheap.toBest.shown(),
        all.name,
        cheap.times.extractMicros,
        all.times.extractMicros,
        cheap.times.coreMicros,
        all.times.coreMicros,
        cheap.times.searchMillis,
        all.times.searchMillis);
  }

  /**
   * Appends the plots and tables of these rankings to a report.
   *
   * @param page the HTML text of the report
   */
  void html(StringBuilder page) {
    page.append("<h2>Quality and cost</h2><p>").append(Html.escape(verdict())).append(".</p>");
    plot(page, "milliseconds of a search (median)", point -> point.times.searchMillis);
    plot(page, "processor time of rescoring, µs (median)", point -> point.times.coreMicros);
    page.append(
            "<p class=\"note\">Vertical axis: NDCG on the held-out queries. A bar is the 95 %"
                + " interval")
        .append(" of the difference to the best ranking, added to its NDCG: a bar that ends below")
        .append(
            " this NDCG is worse beyond noise. The line joins rankings that are better than all")
        .append(" cheaper ones; the large dot is the cheapest that is not distinguishable from the")
        .append(" best.</p><div class=\"scroll\"><table><tr><th>ranking<th>features<th>trees")
        .append("<th>window<th>NDCG<th>to the best (95 %)<th>features, µs<th>processor, µs")
        .append("<th>search, ms</tr>");
    for (Point point : points) {
      Html.row(
          page,
          point.equals(cheapestEqual()) ? point.name + " ◀" : point.name,
          "%d\t%d\t%d\t%.4f\t%s\t%.0f\t%.0f\t%.2f",
          point.features.size(),
          point.trees,
          point.window,
          point.ndcg,
          point.toBest.shown(),
          point.times.extractMicros,
          point.times.coreMicros,
          point.times.searchMillis);
    }
    page.append("</table></div><p class=\"note\">Medians of ").append(searches);
    page.append(" searches each; the rankings took turns. The features of the marked one: ");
    page.append(Html.escape(String.join(", ", cheapestEqual().features)));
    page.append(".</p><h2>Which features can be removed?</h2><div class=\"scroll\"><table><tr>")
        .append("<th>feature<th>alone, µs<th>saved without it, µs<th>NDCG if shuffled (95 %)")
        .append("<th>NDCG if trained without it (95 %)</tr>");
    for (Feature feature : features) {
      Html.row(
          page,
          feature.name,
          "%.1f\t%.1f\t%s\t%s",
          feature.aloneMicros,
          feature.savedMicros,
          feature.permuted.shown(),
          feature.without.shown());
    }
    page.append("</table></div>");
  }

  private void plot(StringBuilder page, String unit, ToDoubleFunction<Point> cost) {
    double best = best().ndcg;
    page.append(
        Svg.frontier(
            "NDCG and " + unit,
            unit,
            points.stream()
                .map(
                    point ->
                        new Svg.Choice(
                            point.name,
                            new Svg.Band(
                                cost.applyAsDouble(point),
                                best + point.toBest.low,
                                point.ndcg,
                                best + point.toBest.high),
                            point.equals(cheapestEqual())))
                .toList()));
  }
}

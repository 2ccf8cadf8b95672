// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.report;

import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Rankings of different quality and cost, all measured on one cluster.
 *
 * @param searches number of searches timed for each ranking
 * @param features of the model with all of them
 * @param points the rankings, the model with all features first
 */
public record Frontier(int searches, List<Feature> features, List<Point> points) {
  public Frontier {
    features = List.copyOf(features);
    points = List.copyOf(points);
  }

  /** A mean difference in NDCG and its 95 % interval, by paired bootstrap draws of the queries. */
  public record Change(double mean, double low, double high) {
    String shown() {
      return String.format(Locale.ROOT, "%+.4f (%+.4f to %+.4f)", mean, low, high);
    }
  }

  /**
   * Medians over the searches.
   *
   * @param searchMillis time of a whole search, measured by its client
   * @param extractMicros of the features, all shards together
   * @param coreMicros of rescoring: binding and extracting features, scoring, sorting
   */
  public record Times(double searchMillis, double extractMicros, double coreMicros) {}

  /**
   * The cost and the value of a feature.
   *
   * @param aloneMicros time of extracting it alone, per search
   * @param savedMicros time saved by extracting all others without it: less than alone if it shares
   *     terms with others
   * @param permuted change in NDCG if its values are shuffled among the hits
   * @param without change in NDCG of a model that is trained without it
   */
  public record Feature(
      String name, double aloneMicros, double savedMicros, Change permuted, Change without) {}

  /**
   * A way to rank.
   *
   * @param features that its model tests
   * @param window number of hits ranked
   * @param toBest difference in NDCG to the best ranking
   * @param isEqual whether it is not distinguishable from the best
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

  /** The point with the least processor time among those not distinguishable from the best. */
  public Point cheapestEqual() {
    return points.stream()
        .filter(Point::isEqual)
        .min(Comparator.comparingDouble(point -> point.times.coreMicros))
        .orElseThrow();
  }

  private Point best() {
    return points.stream().max(Comparator.comparingDouble(Point::ndcg)).orElseThrow();
  }

  /** Returns the choice in one sentence. */
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

  /** Appends the pictures and tables to a report. */
  void html(StringBuilder page) {
    page.append("<h2>Quality and cost</h2><p>").append(Html.escape(verdict())).append(".</p>");
    picture(page, "milliseconds of a search (median)", point -> point.times.searchMillis);
    picture(page, "processor time of rescoring, µs (median)", point -> point.times.coreMicros);
    page.append("<p class=\"note\">Up: NDCG on the held-out queries. A bar is the 95 % interval of")
        .append(" the difference to the best ranking, put at the best one's NDCG: a bar that ends")
        .append(" below it is worse beyond noise. The line joins rankings that are better than all")
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

  private void picture(StringBuilder page, String unit, ToDoubleFunction<Point> cost) {
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

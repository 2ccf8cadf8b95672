// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.report;

import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import io.quickscorer.train.quality.PairedBootstrap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Rankings with different quality and cost, measured on one cluster.
 *
 * @param searches number of searches that were timed for each ranking
 * @param features the costs of the features
 * @param points the rankings; the first one uses all features
 */
public record Frontier(int searches, List<Feature> features, List<Point> points) {
  /**
   * The times of a search; each is a median over several searches.
   *
   * @param searchMillis time of a whole search, measured by the client, in ms
   * @param extractMicros time to extract features, summed over all shards, in µs
   * @param coreMicros processor time for ranking the hits with the model, in µs
   */
  public record Times(double searchMillis, double extractMicros, double coreMicros) {}

  /**
   * The cost and the value of a feature.
   *
   * @param name the name of the feature
   * @param aloneMicros time per search to extract only this feature, in µs
   * @param savedMicros time per search that is saved without this feature, in µs
   * @param permuted change in ranking quality (NDCG) if the feature's values are shuffled among the
   *     hits
   * @param without change in ranking quality (NDCG) if the model is trained without the feature
   */
  public record Feature(
      String name,
      double aloneMicros,
      double savedMicros,
      PairedBootstrap permuted,
      PairedBootstrap without) {}

  /**
   * A model's ranking, with its quality and cost.
   *
   * @param name the name for users
   * @param features the names of the features that the model tests
   * @param trees number of trees of the model
   * @param window number of hits that the model ranks
   * @param ndcg ranking quality (NDCG), 0 to 1
   * @param toBest this ranking's NDCG minus the best ranking's NDCG
   * @param isEqual whether the ranking is not significantly worse than the best one
   * @param times the times of a search with the ranking
   */
  public record Point(
      String name,
      List<String> features,
      int trees,
      int window,
      double ndcg,
      PairedBootstrap toBest,
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
            + " %d; NDCG %s; times, compared with %s: features %.0f instead of %.0f µs,"
            + " processor %.0f instead of %.0f µs, search %.2f instead of %.2f ms",
        best.name,
        cheap.name,
        cheap.features.size(),
        cheap.trees,
        cheap.window,
        shown(cheap.toBest),
        all.name,
        cheap.times.extractMicros,
        all.times.extractMicros,
        cheap.times.coreMicros,
        all.times.coreMicros,
        cheap.times.searchMillis,
        all.times.searchMillis);
  }

  private static String shown(PairedBootstrap change) {
    return PairedBootstrap.text("%+.4f", change.mean(), change.low(), change.high());
  }

  /** Appends the plots and tables of these rankings to a report. */
  void html(StringBuilder page) {
    Point marked = cheapestEqual();
    page.append("<h2>Quality and cost</h2><p>").append(Html.escape(verdict())).append(".</p>");
    plot(page, "milliseconds of a search (median)", point -> point.times.searchMillis);
    plot(page, "processor time of rescoring, µs (median)", point -> point.times.coreMicros);
    page.append(
        "<p class=\"note\">Vertical axis: NDCG on the held-out queries. A bar is the 95 % interval"
            + " of the difference to the best ranking, added to its NDCG: a bar that ends below"
            + " this NDCG is worse beyond noise. The line joins rankings that are better than all"
            + " cheaper ones; the large dot is the cheapest that is not distinguishable from the"
            + " best.</p>");
    Html.table(
        page,
        "ranking\tfeatures\ttrees\twindow\tNDCG\tto the best (95 %)\tfeatures, µs\tprocessor, µs"
            + "\tsearch, ms");
    for (Point point : points) {
      Html.row(
          page,
          point.equals(marked) ? point.name + " ◀" : point.name,
          "%d\t%d\t%d\t%.4f\t%s\t%.0f\t%.0f\t%.2f",
          point.features.size(),
          point.trees,
          point.window,
          point.ndcg,
          shown(point.toBest),
          point.times.extractMicros,
          point.times.coreMicros,
          point.times.searchMillis);
    }
    page.append("</table></div><p class=\"note\">Medians of ").append(searches);
    page.append(" searches each; the rankings took turns. The features of the marked one: ");
    page.append(Html.escape(String.join(", ", marked.features)));
    page.append(".</p><h2>Which features can be removed?</h2>");
    Html.table(
        page,
        "feature\talone, µs\tsaved without it, µs\tNDCG if shuffled (95 %)"
            + "\tNDCG if trained without it (95 %)");
    for (Feature feature : features) {
      Html.row(
          page,
          feature.name,
          "%.1f\t%.1f\t%s\t%s",
          feature.aloneMicros,
          feature.savedMicros,
          shown(feature.permuted),
          shown(feature.without));
    }
    page.append("</table></div>");
  }

  private void plot(StringBuilder page, String unit, ToDoubleFunction<Point> cost) {
    double best = best().ndcg;
    List<Svg.Choice> choices = new ArrayList<>();
    for (Point point : points) {
      double low = best + point.toBest.low();
      double high = best + point.toBest.high();
      Svg.Band band = new Svg.Band(cost.applyAsDouble(point), low, point.ndcg, high);
      choices.add(new Svg.Choice(point.name, band, point.equals(cheapestEqual())));
    }
    page.append(Svg.frontier("NDCG and " + unit, unit, choices));
  }
}

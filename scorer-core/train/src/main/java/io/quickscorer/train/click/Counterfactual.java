// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.train.quality.PairedBootstrap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Estimates the clicks per search of rankings that were never shown, from the clicks on other
 * rankings, by three methods. IPS (Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay and Wen, KDD
 * 2018): the weight of a click is the attention to the document's new position divided by that to
 * its old position; a document's clicks are averaged over the searches that showed it, and a
 * document that was never shown counts as never clicked. SNIPS (Swaminathan and Joachims, NIPS
 * 2015): the sum of a query is divided by the sum of its weights. Doubly robust (Dudík, Langford
 * and Li, ICML 2011), with the documents' own clicks as the model: equal to IPS for documents that
 * were shown; a document that was never shown has the mean relevance of the query's documents. The
 * intervals are from a bootstrap over the queries, without the error of the attention itself.
 *
 * @param queries number of queries with a new ranking
 * @param covered share of the attention to the new rankings that is on documents that were shown
 * @param logged clicks per search of the rankings that were shown
 * @param ips clicks per search of the new rankings by IPS
 * @param snips clicks per search of the new rankings by SNIPS
 * @param doublyRobust clicks per search of the new rankings by the doubly robust method
 * @param gain {@code doublyRobust} minus {@code logged}
 */
record Counterfactual(
    int queries,
    double covered,
    PairedBootstrap logged,
    PairedBootstrap ips,
    PairedBootstrap snips,
    PairedBootstrap doublyRobust,
    PairedBootstrap gain) {
  private static final class Sums {
    private final double[] shownAt;
    private double clicks;
    private double looks;
    private double ips;
    private double weighted;
    private double weights;
    private double attention;
    private double covered;

    Sums(int positions) {
      shownAt = new double[positions];
    }

    double searches() {
      return Arrays.stream(shownAt).max().orElse(0);
    }

    double snips() {
      return weights == 0 ? 0 : attention * weighted / weights * searches();
    }

    double doublyRobust() {
      double relevance = looks == 0 ? 0 : clicks / looks;
      return (ips + (attention - covered) * relevance) * searches();
    }
  }

  /**
   * Computes the estimates for new rankings.
   *
   * @param rankings the new ranking of each query, the best document first
   */
  static Counterfactual of(
      Exposures exposures, PositionBias bias, Map<String, List<String>> rankings) {
    int positions = bias.factors().length;
    Map<Exposures.Pair, Double> places = new HashMap<>();
    Map<String, Sums> byQuery = new LinkedHashMap<>();
    exposures
        .pairs()
        .forEach(
            (pair, counts) -> {
              if (rankings.containsKey(pair.query())) {
                byQuery.computeIfAbsent(pair.query(), query -> new Sums(positions));
              }
            });
    byQuery.forEach(
        (query, sums) -> {
          List<String> ranking = rankings.getOrDefault(query, List.of());
          for (int k = 1; k <= Math.min(positions, ranking.size()); k++) {
            double factor = Double.isNaN(bias.factor(k)) ? 0 : bias.factor(k);
            if (places.putIfAbsent(new Exposures.Pair(query, ranking.get(k - 1)), factor) == null) {
              sums.attention += factor;
            }
          }
        });
    exposures
        .pairs()
        .forEach(
            (pair, counts) -> {
              Sums sums = byQuery.get(pair.query());
              if (sums != null) {
                add(sums, counts, bias, places.getOrDefault(pair, 0.0));
              }
            });
    List<Sums> all = List.copyOf(byQuery.values());
    double attention = all.stream().mapToDouble(sums -> sums.attention).sum();
    double covered = all.stream().mapToDouble(sums -> sums.covered).sum();
    return new Counterfactual(
        all.size(),
        attention == 0 ? 0 : covered / attention,
        perSearch(all, sums -> sums.clicks),
        perSearch(all, sums -> sums.ips * sums.searches()),
        perSearch(all, Sums::snips),
        perSearch(all, Sums::doublyRobust),
        perSearch(all, sums -> sums.doublyRobust() - sums.clicks));
  }

  /**
   * Adds a document to the sums of its query.
   *
   * @param place the attention to the document's new position
   */
  private static void add(Sums sums, Exposures.Counts counts, PositionBias bias, double place) {
    double weighted = 0;
    double shown = 0;
    for (int e = 0; e < counts.size(); e++) {
      int position = counts.position(e);
      double factor = bias.factor(position);
      if (factor > 0) {
        sums.shownAt[position - 1] += counts.shown(e);
        sums.clicks += counts.clicked(e);
        sums.looks += counts.shown(e) * factor;
        shown += counts.shown(e);
        weighted += counts.clicked(e) * place / factor;
      }
    }
    sums.covered += shown == 0 ? 0 : place;
    sums.ips += shown == 0 ? 0 : weighted / shown;
    sums.weighted += weighted;
    sums.weights += shown * place;
  }

  /** Returns the mean of a value per search, with a bootstrap over the queries. */
  private static PairedBootstrap perSearch(List<Sums> all, ToDoubleFunction<Sums> value) {
    double searches = all.stream().mapToDouble(Sums::searches).sum();
    return PairedBootstrap.of(
        all.stream()
            .mapToDouble(sums -> value.applyAsDouble(sums) * all.size() / Math.max(1, searches))
            .toArray());
  }

  /** Returns the estimates as lines of text for a console. */
  List<String> report() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "    clicks per search if other rankings had been shown, of %d queries (%.0f %% of the"
                + " attention falls on documents that were shown):",
            queries,
            100 * covered));
    lines.add("      as shown       " + shown(logged));
    lines.add("      IPS            " + shown(ips));
    lines.add("      SNIPS          " + shown(snips));
    lines.add("      doubly robust  " + shown(doublyRobust));
    lines.add(
        "      gain           "
            + shown(gain)
            + (gain.isSignificant()
                ? ", better beyond noise"
                : gain.isSignificantLoss()
                    ? ", worse beyond noise"
                    : ", no difference beyond noise"));
    return lines;
  }

  private static String shown(PairedBootstrap mean) {
    return String.format(Locale.ROOT, "%.4f (%.4f to %.4f)", mean.mean(), mean.low(), mean.high());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.train.quality.PairedBootstrap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Estimates the clicks per search of rankings that were never shown, from the clicks on other
 * rankings. There are three methods.
 *
 * <p>IPS (Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay and Wen, KDD 2018): the weight of a
 * click is the attention to the document's new position divided by the attention to its old
 * position. A document that was never shown counts as never clicked. SNIPS (Swaminathan and
 * Joachims, NIPS 2015): a query's sum of weighted clicks is divided by its sum of weights. Doubly
 * robust (Dudík, Langford and Li, ICML 2011): as IPS, but a document that was never shown gets the
 * mean relevance of the query's documents. The intervals are from a bootstrap over the queries;
 * they ignore errors in the estimated attention.
 *
 * @param queries number of queries
 * @param covered the attention to the documents that were shown before, as a share (0 to 1) of the
 *     attention to all documents of the new rankings
 * @param logged clicks per search of the rankings that were shown
 * @param ips the estimate by IPS
 * @param snips the estimate by SNIPS
 * @param doublyRobust the doubly robust estimate
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
  /** The sums of clicks and weights over the documents of one query. */
  private static final class Sums {
    private final PositionBias bias;

    /** For each document, the attention to its new position: the share of users that look there. */
    private final Map<String, Double> places = new HashMap<>();

    private final double[] shownAt;
    private double clicks;
    private double looks;
    private double ips;
    private double weighted;
    private double weights;
    private double attention;
    private double covered;

    Sums(Map<Integer, String> ranking, PositionBias bias) {
      this.bias = bias;
      shownAt = new double[bias.factors().length];
      ranking.forEach(
          (position, document) -> {
            double factor = bias.factor(position);
            if (factor > 0) {
              places.put(document, factor);
              attention += factor;
            }
          });
    }

    void add(String document, List<Exposures.Counts> counts) {
      double place = places.getOrDefault(document, 0.0);
      double clicked = 0;
      double shown = 0;
      for (Exposures.Counts at : counts) {
        double factor = bias.factor(at.position());
        if (factor > 0) {
          shownAt[at.position() - 1] += at.shown();
          clicks += at.clicked();
          looks += at.shown() * factor;
          shown += at.shown();
          clicked += at.clicked() * place / factor;
        }
      }
      covered += shown == 0 ? 0 : place;
      ips += shown == 0 ? 0 : clicked / shown;
      weighted += clicked;
      weights += shown * place;
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

  /** Computes the estimates for new rankings: by query, the document at each position from 1. */
  static Counterfactual of(
      Exposures exposures, PositionBias bias, Map<String, Map<Integer, String>> rankings) {
    Map<String, Sums> byQuery = new LinkedHashMap<>();
    exposures
        .pairs()
        .forEach(
            (pair, counts) -> {
              Map<Integer, String> ranking = rankings.get(pair.query());
              if (ranking != null) {
                byQuery
                    .computeIfAbsent(pair.query(), query -> new Sums(ranking, bias))
                    .add(pair.document(), counts);
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

  /** Returns a value's mean per search, with a confidence interval by a bootstrap over queries. */
  private static PairedBootstrap perSearch(List<Sums> all, ToDoubleFunction<Sums> value) {
    return PairedBootstrap.weighted(
        all.stream().mapToDouble(value).toArray(),
        all.stream().mapToDouble(Sums::searches).toArray());
  }

  /** Returns the estimates as lines of text for a console. */
  List<String> report() {
    String noise =
        gain.isSignificant()
            ? ", better beyond noise"
            : gain.isSignificantLoss() ? ", worse beyond noise" : ", no difference beyond noise";
    return List.of(
        String.format(
            Locale.ROOT,
            "    clicks per search if other rankings had been shown, of %d queries (%.0f %% of the"
                + " attention falls on documents that were shown):",
            queries,
            100 * covered),
        line("as shown", logged),
        line("IPS", ips),
        line("SNIPS", snips),
        line("doubly robust", doublyRobust),
        line("gain", gain) + noise);
  }

  private static String line(String name, PairedBootstrap clicks) {
    return String.format(Locale.ROOT, "      %-15s", name)
        + PairedBootstrap.text("%.4f", clicks.mean(), clicks.low(), clicks.high());
  }
}

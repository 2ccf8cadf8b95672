// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.report;

import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The times of searches on a cluster in which a model rescores hits.
 *
 * @param searches number of searches, which were sent one after the other
 * @param windows number of lists of hits that were rescored, one per shard and search
 * @param documents number of documents in all these lists
 * @param firstPassMillis mean time of a search without the model, in ms
 * @param rescoredMillis mean time of a search with the model, in ms
 * @param nanos the total time of each of the {@link #PARTS} in all searches, in ns
 */
public record Latency(
    long searches,
    long windows,
    long documents,
    double firstPassMillis,
    double rescoredMillis,
    Map<String, Long> nanos) {
  /**
   * The names of the timed parts of rescoring, in order. The first one, bind, inserts the
   * parameters of the request into the features.
   */
  public static final List<String> PARTS = List.of("bind", "extract", "score", "sort");

  private static final List<Integer> WINDOWS = List.of(50, 100, 500, 1_000);

  public Latency {
    nanos = new LinkedHashMap<>(nanos);
  }

  /** Computes the times from the plugin's counters before and after the searches. */
  public static Latency between(
      JsonNode before,
      JsonNode after,
      long searches,
      double firstPassMillis,
      double rescoredMillis) {
    Map<String, Long> nanos = new LinkedHashMap<>();
    for (String part : PARTS) {
      nanos.put(part, difference(before, after, "/time_in_nanos/" + part));
    }
    return new Latency(
        searches,
        difference(before, after, "/windows"),
        difference(before, after, "/documents"),
        firstPassMillis,
        rescoredMillis,
        nanos);
  }

  private static long difference(JsonNode before, JsonNode after, String at) {
    return after.at(at).asLong() - before.at(at).asLong();
  }

  /** Returns the time that a part of rescoring takes per search, in ms. */
  public double millis(String part) {
    return nanos.getOrDefault(part, 0L) / 1e6 / Math.max(1, searches);
  }

  /** Returns the estimated processor time for rescoring {@code size} hits of one shard, in ms. */
  double windowMillis(int size) {
    double fixed =
        (nanos.getOrDefault("bind", 0L) + nanos.getOrDefault("sort", 0L))
            / (double) Math.max(1, windows);
    double each =
        (nanos.getOrDefault("extract", 0L) + nanos.getOrDefault("score", 0L))
            / (double) Math.max(1, documents);
    return (fixed + each * size) / 1e6;
  }

  /** Appends plots and a table of these times to a report. */
  void html(StringBuilder page) {
    page.append("<h2>Where the time goes</h2>");
    page.append(
        Svg.bars(
            "milliseconds of a search",
            PARTS.stream().map(part -> new Svg.Bar(part + ", ms", millis(part))).toList()));
    page.append(
        String.format(
            Locale.ROOT,
            "<p class=\"note\">%d searches, one after the other: %.1f ms without the model, %.1f ms"
                + " with it, as the cluster measured them. bind: on the node that takes the"
                + " search; extract: the features; score: the trees.</p>",
            searches,
            firstPassMillis,
            rescoredMillis));
    page.append("<h2>Sizing</h2>");
    Html.table(
        page, "window\tms of one core per shard\tcores for 1,000 searches a second, per shard");
    for (int window : WINDOWS) {
      double millis = windowMillis(window);
      Html.row(page, String.format(Locale.ROOT, "%,d", window), "%.2f\t%.1f", millis, millis);
    }
    page.append("</table></div><p class=\"note\">Computed from the times above per window and");
    page.append(" per document. The first pass needs additional time.</p>");
  }
}

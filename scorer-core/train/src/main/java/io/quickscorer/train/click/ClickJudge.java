// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.page.Svg;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.Table;
import io.quickscorer.train.quality.PairedBootstrap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Computes grades of documents from searches and clicks. For this, it estimates the attention to
 * each position of a result list: the share of users that look at the position.
 */
public final class ClickJudge {
  private final SearchReader searches;
  private final int positions;
  private Exposures exposures = new Exposures();
  private PositionBias bias = PositionBias.unknown(1);
  private ClickJudgments judgments = new ClickJudgments(List.of(), 0);
  private Estimator estimator = Estimator.UNBIASED;
  private String method = "";
  private final Map<String, Map<Integer, String>> rankings = new HashMap<>();
  private @Nullable Path rankingsFile;
  private final Map<Exposures.Pair, float[]> features = new HashMap<>();

  /** A method that corrects clicks for position bias: users look at some positions more often. */
  public enum Estimator {
    /** Assumes that users look at all positions equally often. */
    NAIVE,

    /**
     * Divides a document's clicks by the clicks that are expected at its position. Assumes that a
     * position's click rate shows how often users look at it.
     */
    COEC,

    /** Estimates the attention to positions from documents that were shown at several positions. */
    UNBIASED
  }

  /**
   * Creates an object that grades the documents of searches. The searches must be read before
   * {@link #judge} is called.
   */
  public ClickJudge(SearchReader searches) {
    this.searches = searches;
    this.positions = searches.positions;
  }

  /**
   * Reads a table of rankings that were never shown. It has the columns query, document and
   * position. If lines of a query repeat a document or a position, the first of these lines counts.
   */
  public void readRankings(Path file) throws Failure {
    rankingsFile = file;
    Set<Exposures.Pair> ranked = new HashSet<>();
    Table.read(
        file,
        List.of("query", "document", "position"),
        row -> {
          String query = SearchReader.normal(row.text("query"));
          String document = row.text("document");
          int position = row.position();
          if (query.isEmpty() || document.isEmpty() || position == 0) {
            searches.leave("lines of --rankings" + SearchReader.INCOMPLETE);
          } else if (rankings.getOrDefault(query, Map.of()).containsKey(position)
              || !ranked.add(new Exposures.Pair(query, document))) {
            searches.leave("lines of --rankings with a position or document of an earlier line");
          } else {
            rankings.computeIfAbsent(query, q -> new TreeMap<>()).put(position, document);
          }
        });
  }

  /**
   * Reads a log of feature values. The log's query ids must be the texts of the queries. The log is
   * needed if each document was always shown at one position.
   */
  public void readFeatures(Path file) throws Failure {
    FeatureLog log = FeatureLog.read(file);
    List<JudgedQuery> queries =
        log.queries().stream().map(id -> JudgedQuery.of(id, id, Map.of())).toList();
    try {
      features.putAll(Exposures.features(FeatureRows.read(queries, log.lines())));
    } catch (IllegalStateException e) {
      throw Failure.usage(file + ": " + e.getMessage());
    }
  }

  /**
   * Computes the grades of documents. May be called only once.
   *
   * @param by the method that corrects clicks for positions
   * @param minLooks minimum expected number of users that looked at a document; others get no grade
   * @throws Failure if there is too little data
   */
  public void judge(Estimator by, double minLooks) throws Failure {
    estimator = by;
    exposures = searches.exposures();
    Collection<List<Exposures.Counts>> shown = exposures.pairs().values();
    if (shown.stream().allMatch(places -> Exposures.clicked(places) == 0)) {
      throw Failure.usage(
          "found no clicks on hits that were shown; "
              + exposures.searches
              + " searches and "
              + searches.events
              + " events were read, left out: "
              + leftOut());
    }
    if (rankingsFile != null
        && exposures.pairs().keySet().stream()
            .noneMatch(pair -> rankings.containsKey(pair.query()))) {
      throw Failure.usage(
          rankingsFile
              + ": found no query of the searches, expected the texts of [user_query]; left out: "
              + leftOut());
    }
    bias = PositionBias.of(exposures, positions);
    method =
        "documents at several positions, "
            + Exposures.data(shown.stream().filter(places -> places.size() > 1).toList());
    String reason = "";
    if (bias.isUnknown()) {
      reason = "too few documents were shown and clicked at several positions for one query";
      if (!features.isEmpty()) {
        RegressionEm.Estimate em = RegressionEm.of(exposures, positions, features);
        bias = em.bias();
        method = "regression EM, because " + reason + "; " + em.reason();
        reason += ", and from --features: " + em.reason();
      }
    }
    if (bias.isUnknown() && estimator == Estimator.UNBIASED) {
      throw Failure.usage(
          "cannot estimate how often users look at each position: "
              + reason
              + "; collect clicks while two models are interleaved, give --features, or use"
              + " --estimator COEC or NAIVE, which do not need this estimate");
    }
    judgments = ClickJudgments.of(exposures, estimator, bias, minLooks);
    if (judgments.judged().isEmpty()) {
      throw Failure.usage(
          "--min-looks: users looked too rarely at each of the "
              + judgments.leftOut()
              + " pairs of query and document; provide more searches, or lower --min-looks");
    }
  }

  private Map<String, Long> leftOut() {
    Map<String, Long> all = new TreeMap<>(searches.leftOut);
    searches.eventsLeftOut.forEach((reason, number) -> all.put("events " + reason, number));
    return all;
  }

  /** Returns the result as lines of text for a console. */
  public List<String> report() {
    List<String> lines = new ArrayList<>();
    lines.add("    " + exposures.searches + " searches, " + searches.events + " events of actions");
    lines.addAll(EventReader.lines(leftOut()));
    lines.add("    attention estimated by: " + (bias.isUnknown() ? "nothing" : method));
    lines.add("    attention by position, in relation to the first (95 % interval):");
    for (int p = 0; p < positions; p++) {
      double factor = bias.factors()[p];
      lines.add(
          String.format(Locale.ROOT, "      %3d  ", p + 1)
              + (Double.isNaN(factor)
                  ? "cannot be estimated"
                  : PairedBootstrap.text("%.3f", factor, bias.low()[p], bias.high()[p])));
    }
    lines.add("    estimator: " + estimator);
    long[] grades = new long[ClickJudgments.MAX_GRADE + 1];
    judgments.judged().forEach(judged -> grades[judged.grade()]++);
    int judged = judgments.judged().size();
    lines.add("    " + judged + " judgments, by grade from 0: " + Arrays.toString(grades));
    lines.add(
        "      left out: " + judgments.leftOut() + " documents of a query with too few looks");
    if (!rankings.isEmpty()) {
      lines.addAll(
          bias.isUnknown()
              ? List.of(
                  "    clicks of other rankings: cannot be estimated, because the attention by"
                      + " position is unknown")
              : Counterfactual.of(exposures, bias, rankings).report());
    }
    return lines;
  }

  /** Returns the judgments (grades of documents) as a table for the command {@code train}. */
  public String table() {
    StringBuilder table = new StringBuilder("query\tdoc_id\tgrade\n");
    for (ClickJudgments.Judged judged : judgments.judged()) {
      table.append(judged.pair().query()).append('\t');
      table.append(judged.pair().document()).append('\t').append(judged.grade()).append('\n');
    }
    return table.toString();
  }

  /**
   * Returns the judgments (grades of documents) in the Search Relevance Workbench's import format.
   */
  public ObjectNode workbench() {
    ObjectNode list = EventReader.JSON.createObjectNode();
    list.put("name", "clicks").put("type", "IMPORT_JUDGMENT");
    ArrayNode all = list.putArray("judgmentRatings");
    Map<String, ArrayNode> ratings = new HashMap<>();
    for (ClickJudgments.Judged judged : judgments.judged()) {
      ratings
          .computeIfAbsent(
              judged.pair().query(),
              query -> all.addObject().put("query", query).putArray("ratings"))
          .addObject()
          .put("docId", judged.pair().document())
          .put("rating", Integer.toString(judged.grade()));
    }
    return list;
  }

  /** Returns the result as a self-contained HTML page. */
  public String page() {
    List<Svg.Band> bands = new ArrayList<>();
    for (int p = 0; p < positions; p++) {
      double factor = Math.min(1, bias.factors()[p]);
      if (!Double.isNaN(factor)) {
        double low = Math.min(1, bias.low()[p]);
        bands.add(new Svg.Band(p + 1.0, low, factor, Math.min(1, bias.high()[p])));
      }
    }
    return ClickComparison.page(
        "Judgments from clicks",
        bands.size() > 1
            ? Svg.band("attention by position", "position; attention", 0.5, bands)
            : "",
        report(),
        "The attention is in relation to the first position, with intervals of 95 %; above 1 is"
            + " drawn as 1. Not corrected: trust (clicks on bad documents because they rank high),"
            + " and documents that were never shown.");
  }
}

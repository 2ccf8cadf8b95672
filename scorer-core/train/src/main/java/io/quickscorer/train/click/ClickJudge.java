// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads searches and clicks, estimates the probability that users look at each position (the
 * attention to the position), and grades the documents. For use by one thread.
 */
public final class ClickJudge extends ClickStudy {
  private final SearchReader searches;
  private final int positions;
  private Exposures exposures = new Exposures();
  private PositionBias bias =
      new PositionBias(new double[] {1}, new double[] {1}, new double[] {1});
  private ClickJudgments judgments = new ClickJudgments(List.of(), 0);
  private Estimator estimator = Estimator.UNBIASED;
  private String method = "";
  private final Map<String, List<String>> rankings = new LinkedHashMap<>();
  private final Map<Exposures.Pair, float[]> features = new HashMap<>();

  /**
   * Creates a judge without records.
   *
   * @param impression the action name of events that list the hits that were shown
   * @param positions number of positions that count, from the first
   * @param maxSearches maximum number of searches of one client that count
   */
  public ClickJudge(EventReader events, String impression, int positions, int maxSearches) {
    super(events, List.of("query", "document", "position", "clicked"));
    this.positions = positions;
    this.searches = new SearchReader(events, impression, positions, maxSearches);
  }

  @Override
  void add(JsonNode record) {
    searches.add(record);
  }

  @Override
  void add(Records.Row row) {
    searches.add(row);
  }

  /**
   * Reads rankings that were not shown to users, from a table with the columns query, document and
   * position.
   *
   * @throws Failure if a line has another number of cells than the header, or if columns are
   *     missing; the message names the line or the columns
   */
  public void readRankings(Path file) throws Failure {
    Map<String, TreeMap<Integer, String>> places = new LinkedHashMap<>();
    Records.readTable(
        file,
        List.of("query", "document", "position"),
        row ->
            places
                .computeIfAbsent(SearchReader.normal(row.text("query")), query -> new TreeMap<>())
                .put(row.position(), row.text("document")));
    places.forEach((query, ranking) -> rankings.put(query, List.copyOf(ranking.values())));
  }

  /**
   * Reads a log of features whose query ids are the queries' texts, for documents that keep their
   * positions.
   *
   * @throws Failure if the file is not such a log, or if a query has two hits with the same id
   */
  public void readFeatures(Path file) throws Failure {
    FeatureLog log = FeatureLog.read(file);
    List<JudgedQuery> queries =
        log.queries().stream().map(id -> JudgedQuery.of(id, id, Map.of())).toList();
    try {
      for (FeatureRows.Hits hits : FeatureRows.read(queries, log.lines())) {
        String query = SearchReader.normal(hits.query().text());
        for (int hit = 0; hit < hits.ids().size(); hit++) {
          features.put(new Exposures.Pair(query, hits.ids().get(hit)), hits.values().get(hit));
        }
      }
    } catch (IllegalStateException e) {
      throw Failure.usage(file + ": " + e.getMessage());
    }
  }

  /**
   * Computes judgments (grades of documents) from all records that were read.
   *
   * @param minLooks documents with a smaller expected number of looks get no grade
   * @throws Failure if there are no clicks, if the estimator needs documents that were shown at
   *     several positions and there are too few, or if no document was looked at often enough
   */
  public void judge(Estimator by, double minLooks) throws Failure {
    estimator = by;
    exposures = searches.exposures();
    if (exposures.pairs().values().stream().allMatch(counts -> counts.clicked() == 0)) {
      throw Failure.usage(
          "found no clicks on hits that were shown; "
              + exposures.searches()
              + " searches and "
              + events.events()
              + " events were read, left out: "
              + leftOut());
    }
    bias = PositionBias.of(exposures, positions);
    method =
        "documents at several positions, "
            + Exposures.data(
                exposures.pairs().values().stream().filter(counts -> counts.size() > 1));
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
          "the attention to positions cannot be estimated: "
              + reason
              + ". Interleave two models for a while, give --features, or use --estimator COEC or"
              + " NAIVE, which are not corrected");
    }
    judgments = ClickJudgments.of(exposures, estimator, bias, minLooks);
    if (judgments.judged().isEmpty()) {
      throw Failure.usage(
          "--min-looks: users looked too rarely at each of the "
              + judgments.leftOut()
              + " pairs of query and document; provide more searches, or lower the number");
    }
  }

  private Map<String, Long> leftOut() {
    Map<String, Long> all = new TreeMap<>(searches.leftOut());
    events.leftOut().forEach((reason, number) -> all.put("events " + reason, number));
    return all;
  }

  @Override
  public List<String> report() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "    " + exposures.searches() + " searches, " + events.events() + " events of actions");
    lines(leftOut()).forEach(lines::add);
    lines.add("    attention estimated by: " + (bias.isUnknown() ? "nothing" : method));
    lines.add("    attention by position, in relation to the first (95 % interval):");
    for (int p = 0; p < positions; p++) {
      double factor = bias.factors()[p];
      lines.add(
          Double.isNaN(factor)
              ? String.format(Locale.ROOT, "      %3d  cannot be estimated", p + 1)
              : String.format(
                  Locale.ROOT,
                  "      %3d  %.3f (%.3f to %.3f)",
                  p + 1,
                  factor,
                  bias.low()[p],
                  bias.high()[p]));
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
              ? List.of("    clicks of other rankings: cannot be estimated without the attention")
              : Counterfactual.of(exposures, bias, rankings).report());
    }
    return lines;
  }

  /** Returns the judgments as text, a table that the command {@code train} reads. */
  public String table() {
    StringBuilder table = new StringBuilder("query\tdoc_id\tgrade\n");
    for (ClickJudgments.Judged judged : judgments.judged()) {
      table.append(judged.pair().query()).append('\t');
      table.append(judged.pair().document()).append('\t').append(judged.grade()).append('\n');
    }
    return table.toString();
  }

  /**
   * Writes a table of the searches that were not left out, for {@link SingleSearches}. Omits
   * searches that were read from tables.
   *
   * @throws Failure if the file cannot be written
   */
  public void writeSearches(Path file) throws Failure {
    try (BufferedWriter table = Files.newBufferedWriter(file)) {
      searches.write(table);
    } catch (IOException e) {
      throw Failure.unwritable(file, e);
    }
  }

  /** Returns the judgments in the import format of the Search Relevance Workbench. */
  public ObjectNode workbench() {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
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

  @Override
  public String page() {
    StringBuilder page = new StringBuilder(Html.head("Judgments from clicks"));
    page.append("<h1>Judgments from clicks</h1><h2>Where do users look?</h2>");
    List<Svg.Band> bands =
        IntStream.range(0, positions)
            .filter(p -> !Double.isNaN(bias.factors()[p]))
            .mapToObj(
                p ->
                    new Svg.Band(
                        p + 1.0,
                        Math.min(1, bias.low()[p]),
                        Math.min(1, bias.factors()[p]),
                        Math.min(1, bias.high()[p])))
            .toList();
    if (bands.size() > 1) {
      page.append(Svg.band("attention by position", "position; attention", 0.5, bands));
    }
    page.append(
        "<p class=\"note\">In relation to the first position, with intervals of 95 %; above 1 is"
            + " drawn as 1. Not corrected: trust (clicks on bad documents because they rank high),"
            + " and documents that were never shown.</p><h2>What was judged?</h2>");
    appendReport(page);
    return page.append("</body></html>\n").toString();
  }
}

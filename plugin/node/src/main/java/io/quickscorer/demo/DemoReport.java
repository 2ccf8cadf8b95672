// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.Evaluation.Ranking;
import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.report.Latency;
import io.quickscorer.train.report.TrainingReport;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.tuning.FirstPass;
import io.quickscorer.train.tuning.TunedFirstPass;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prints and writes the results of the demo: example rankings, and figures as a table, JSON and
 * HTML.
 *
 * @param byHand the search without a model whose rankings {@code tuned} contains
 * @param nearDuplicates ids of the queries that are similar to a training query
 * @param latency the times of the searches of {@code plain} and {@code rescored}
 */
record DemoReport(
    Corpus corpus,
    Evaluation plain,
    TunedFirstPass byHand,
    Evaluation tuned,
    Evaluation rescored,
    Set<String> nearDuplicates,
    Latency latency) {
  private static final int QUERIES_SHOWN = 4;
  private static final int HITS_SHOWN = 5;
  private static final int WIDTH = 52;
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /**
   * Prints the rankings without and with the model side by side, for a few queries whose ranking
   * the model has changed. Relevant hits have a "*".
   */
  void printSideBySide(Steps steps) {
    Map<String, String> titles = titles();
    int shown = 0;
    for (int i = 0; i < plain.rankings().size() && shown < QUERIES_SHOWN; i++) {
      Ranking before = plain.rankings().get(i);
      Ranking after = rescored.rankings().get(i);
      if (!before.ids().equals(after.ids())) {
        shown++;
        steps.say(
            String.format(
                Locale.ROOT,
                "%n    \"%s\"  NDCG@10 %.2f -> %.2f",
                before.query().text(),
                before.ndcg(),
                after.ndcg()));
        for (int hit = 0; hit < HITS_SHOWN; hit++) {
          steps.say(
              "    "
                  + (hit + 1)
                  + ". "
                  + cell(before, hit, titles)
                  + " | "
                  + cell(after, hit, titles));
        }
      }
    }
  }

  private Map<String, String> titles() {
    Map<String, String> titles = new HashMap<>();
    corpus
        .documents()
        .forEach(d -> titles.put(d.id(), d.source().path(corpus.fields().title()).asString("")));
    return titles;
  }

  private static String cell(Ranking ranking, int hit, Map<String, String> titles) {
    if (hit >= ranking.ids().size()) {
      return " ".repeat(WIDTH);
    }
    String id = ranking.ids().get(hit);
    String mark = ranking.query().grade(id) > 0 ? "* " : "  ";
    String text = mark + titles.getOrDefault(id, id).replaceAll("\\s+", " ");
    return String.format(
        Locale.ROOT,
        "%-" + WIDTH + "s",
        text.length() > WIDTH ? text.substring(0, WIDTH - 1) + "…" : text);
  }

  void printFigures(Steps steps) {
    steps.say(String.format(Locale.ROOT, "%n    %-46s %8s %12s", "", "NDCG@10", "took ms"));
    line(steps, "first pass: " + FirstPass.PLAIN.describe(corpus.fields().text()), plain);
    line(steps, "tuned by hand: " + byHand.description(), tuned);
    line(steps, "first pass, top " + SearchBodies.WINDOW + " rescored by the model", rescored);
    long distant = plain.rankings().stream().filter(ranking -> isDistant(ranking.query())).count();
    steps.say(
        String.format(
            Locale.ROOT,
            "    NDCG@10 of these three rankings without the %d held-out queries that share half"
                + " their words with a training query: %.4f, %.4f, %.4f (%d queries).",
            nearDuplicates.size(),
            plain.meanNdcg(this::isDistant),
            tuned.meanNdcg(this::isDistant),
            rescored.meanNdcg(this::isDistant),
            distant));
    steps.say(
        String.format(
            Locale.ROOT,
            "    Of a rescored search: bind %.2f ms, extract features %.2f ms, score trees %.2f ms,"
                + " sort %.2f ms.",
            latency.millis("bind"),
            latency.millis("extract"),
            latency.millis("score"),
            latency.millis("sort")));
  }

  private static void line(Steps steps, String name, Evaluation evaluation) {
    steps.say(
        String.format(
            Locale.ROOT,
            "    %-46s %8.4f %12.1f",
            name,
            evaluation.meanNdcg(),
            evaluation.meanTookMillis()));
  }

  private boolean isDistant(JudgedQuery query) {
    return !nearDuplicates.contains(query.id());
  }

  /** Returns the demo's report as an HTML page with plots. */
  String html(TrainedModel model) {
    List<Comparison.Query> queries = new ArrayList<>();
    for (int i = 0; i < plain.rankings().size(); i++) {
      queries.add(
          Comparison.Query.of(
              plain.rankings().get(i).query(),
              plain.rankings().get(i).ids(),
              rescored.rankings().get(i).ids(),
              Map.of(Comparison.Baseline.BY_HAND, tuned.rankings().get(i).ids()),
              Ndcg.DEFAULT));
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("corpus", corpus.name() + ", " + corpus.documents().size() + " documents");
    facts.put("first pass", FirstPass.PLAIN.describe(corpus.fields().text()));
    facts.put("window", SearchBodies.WINDOW + " hits per shard");
    TreeEnsemble ensemble =
        ModelReader.read(
            model.text().getBytes(StandardCharsets.UTF_8),
            ModelFormat.AUTO,
            EnsembleLimits.DEFAULT);
    return new TrainingReport(
            facts,
            new Comparison(queries, Ndcg.DEFAULT),
            model.curve(),
            ensemble,
            model.sample(),
            titles(),
            byHand,
            latency,
            null)
        .html();
  }

  void write(Path file, int trainingQueries) throws IOException {
    ObjectNode result = JSON.createObjectNode();
    result.put("corpus", corpus.name()).put("documents", corpus.documents().size());
    result.put("queries", rescored.rankings().size()).put("training_queries", trainingQueries);
    result.put("first_pass", FirstPass.PLAIN.describe(corpus.fields().text()));
    result.put("first_pass_tuned", byHand.description());
    result.put("ndcg_first_pass", plain.meanNdcg());
    result.put("ndcg_first_pass_tuned", tuned.meanNdcg());
    result.put("ndcg_rescored", rescored.meanNdcg());
    ObjectNode distant = result.putObject("without_near_duplicates");
    distant.put("queries", rescored.rankings().size() - nearDuplicates.size());
    distant.put("ndcg_first_pass", plain.meanNdcg(this::isDistant));
    distant.put("ndcg_first_pass_tuned", tuned.meanNdcg(this::isDistant));
    distant.put("ndcg_rescored", rescored.meanNdcg(this::isDistant));
    ObjectNode took = result.putObject("took_ms");
    took.put("first_pass", plain.meanTookMillis());
    took.put("first_pass_tuned", tuned.meanTookMillis());
    took.put("rescored", rescored.meanTookMillis());
    ObjectNode parts = took.putObject("rescore");
    Latency.PARTS.forEach(part -> parts.put(part, latency.millis(part)));
    Files.createDirectories(file.getParent());
    Files.writeString(file, JSON.writeValueAsString(result));
  }
}

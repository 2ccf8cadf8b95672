// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.Judgments;
import io.quickscorer.train.quality.PairedBootstrap;
import io.quickscorer.train.report.Frontier;
import io.quickscorer.train.report.Latency;
import io.quickscorer.train.trainer.LightGbmTrainer;
import io.quickscorer.train.trainer.Trainer;
import io.quickscorer.train.trainer.TrainingOptions;
import io.quickscorer.train.trainer.XGBoostTrainer;
import io.quickscorer.train.tuning.TunedFirstPass;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Training and evaluation on logged features, with LightGBM itself. */
final class TrainingFolderTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int QUERIES = 120;
  private static final int HITS = 40;
  private static final TrainingOptions FEW = new TrainingOptions(30, 10, Map.of());

  @TempDir private Path temp;

  /**
   * Logs whose first pass orders by chance.
   *
   * @param signal whether feature {@code worth} tells the grade
   */
  private List<JudgedQuery> log(Path file, boolean signal) throws Exception {
    Random random = new Random(5);
    StringBuilder lines = new StringBuilder("{\"feature_names\":[\"worth\",\"chance\"]}\n");
    List<JudgedQuery> queries = new ArrayList<>();
    for (int q = 0; q < QUERIES; q++) {
      Map<String, Integer> grades = new HashMap<>();
      for (int d = 0; d < HITS; d++) {
        int grade = random.nextInt(10) == 0 ? 1 : 0;
        String worth =
            random.nextInt(8) == 0
                ? "null"
                : Float.toString((signal ? grade * 2 : 0) + random.nextFloat());
        grades.put("d" + d, grade);
        lines.append("{\"qid\":\"" + q + "\",\"_id\":\"d" + d + "\",\"label\":0,\"features\":[");
        lines.append(worth).append(',').append(random.nextFloat()).append("]}\n");
      }
      grades.put("d0", 1);
      queries.add(JudgedQuery.of("" + q, "words" + q + " <of> q" + q, grades));
    }
    Files.writeString(file, lines);
    return queries;
  }

  private static Coverage judged(List<JudgedQuery> queries) {
    return Coverage.unknown(new Judgments(queries, 0, 0, "grades 0, 1, not converted", null));
  }

  /** Returns whether the model is significantly better than all baselines. */
  private static boolean evaluate(TrainingFolder folder, List<JudgedQuery> queries) throws Failure {
    folder.evaluate(judged(queries), 10, ids -> Map.of());
    return folder.result().get("better").asBoolean();
  }

  @Test
  void aModelThatLearntSomethingIsBetterBeyondNoise() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null);
    assertTrue(evaluate(folder, queries));
    assertTrue(folder.result().get("better").asBoolean());
    JsonNode result = JSON.readTree(Files.readString(temp.resolve("result.json")));
    assertTrue(
        result.at("/model/ndcg").asDouble() > result.at("/first_pass/ndcg").asDouble() + 0.1,
        result.toString());
    JsonNode made = JSON.readTree(Files.readString(temp.resolve("training.json")));
    assertEquals(QUERIES / 4, made.get("held_out").size());
    JsonNode parity = JSON.readTree(Files.readString(temp.resolve("parity.json")));
    assertEquals(50, parity.get("rows").size());
    assertEquals(50, parity.get("expected").size());
  }

  /** What the trainer learns by is what the model is judged by, and it is said. */
  @Test
  void theGainIsTheTrainers() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    TrainingOptions linear = new TrainingOptions(5, 5, Map.of("label_gain", "0,7"));
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(linear), false, null);
    evaluate(folder, queries);
    assertEquals("label_gain 0,7", folder.result().get("gain").asString());
    String page = Files.readString(folder.files().report());
    assertTrue(page.contains("NDCG@10, gain label_gain 0,7"), page);
    TrainingOptions few = new TrainingOptions(5, 5, Map.of("label_gain", "0"));
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class, () -> judged(queries).measure(few.parameters(), 10));
    assertEquals(
        "label_gain 0: no gain for grade 1, expected grades from 0 to 0", failure.getMessage());
  }

  /** A model that is no better than the one that serves is not better. */
  @Test
  void theLiveModelCountsToo() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null);
    Map<String, List<String>> best = new HashMap<>();
    for (JudgedQuery query : folder.heldOut(queries)) {
      best.put(
          query.id(),
          query.judgments().keySet().stream()
              .sorted(Comparator.comparingInt((String d) -> -query.grade(d)))
              .toList());
    }
    Map<String, Object> live = Map.of("name", "m7", "version", "v", "rankings", best);
    FolderFiles.write(folder.files().live(), live);
    assertFalse(evaluate(folder, queries));
    JsonNode result = folder.result();
    assertEquals(1, result.at("/live/ndcg").asDouble());
    assertEquals("m7", result.at("/against/name").asString());
    assertTrue(result.at("/ndcg_gain_over_live/mean").asDouble() < 0, result.toString());
    String page = Files.readString(folder.files().report());
    assertTrue(page.contains("the live model (1.0000)"), page);
    assertTrue(page.contains("m7, version v"), page);
  }

  /** Rows that were logged after the training are not those by which its model can be judged. */
  @Test
  void aModelIsJudgedByTheRowsItLearntFrom() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    String rows = Files.readString(folder.files().features());
    String origin = ",\"logged\":{\"size\":40,\"features\":[{\"name\":\"worth\",\"a\":1}]}}\n";
    Files.writeString(folder.files().features(), rows.replaceFirst("}\n", origin));
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null);
    evaluate(folder, queries);
    Files.writeString(
        folder.files().features(), rows.replaceFirst("}\n", origin.replace("40", "50")));
    Failure other = assertThrows(Failure.class, () -> evaluate(folder, queries));
    assertTrue(other.getMessage().contains("--size was 40, is 50"), other.getMessage());
    try (ClusterStub cluster = new ClusterStub()) {
      ClusterClient client = new ClusterClient(URI.create(cluster.address()));
      Failure redefined = assertThrows(Failure.class, () -> folder.upload(client, "shop", "model"));
      assertTrue(redefined.getMessage().contains("feature worth was "), redefined.getMessage());
    }
  }

  /** Queries without rows are in no mean, and that is said. */
  @Test
  void queriesWithoutRowsAreCounted() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    queries.add(JudgedQuery.of("unfound", "nothing has these", Map.of("d1", 1)));
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null);
    String held = folder.heldOut(queries).getFirst().id();
    evaluate(folder, queries.stream().filter(q -> !q.id().equals(held)).toList());
    JsonNode result = JSON.readTree(Files.readString(temp.resolve("result.json")));
    assertEquals(QUERIES / 4 - 1, result.get("queries").asInt());
    assertEquals(1, result.get("queries_without_rows").asInt());
    assertEquals(1, result.get("held_out_left_out").asInt());
    String page = Files.readString(folder.files().report());
    assertTrue(page.contains("1 judged queries have no rows"), page);
  }

  @Test
  void chanceIsCalledChance() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), false);
    folder.train(
        new LightGbmTrainer(),
        judged(queries),
        0.25,
        List.of(FEW, new TrainingOptions(5, 5, Map.of("num_leaves", "3"))),
        false,
        null);
    assertFalse(evaluate(folder, queries));
    assertFalse(folder.result().get("better").asBoolean());
  }

  @Test
  void xgBoostDoesItToo() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    folder.train(new XGBoostTrainer(), judged(queries), 0.25, List.of(FEW), false, null);
    assertTrue(evaluate(folder, queries));
    TreeEnsemble ensemble =
        ModelReader.read(temp.resolve("model.json"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    assertEquals(List.of("worth", "chance"), ensemble.featureNames());
    JsonNode parity = JSON.readTree(Files.readString(temp.resolve("parity.json")));
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.CPU);
    for (int r = 0; r < parity.get("rows").size(); r++) {
      float[] row = new float[2];
      for (int f = 0; f < 2; f++) {
        JsonNode value = parity.get("rows").get(r).get(f);
        row[f] = value.isNull() ? Float.NaN : value.floatValue();
      }
      double[] score = new double[1];
      scorer.score(FeatureMatrix.ofRows(row, 2), scorer.newScratch(), score);
      assertEquals(parity.get("expected").get(r).floatValue(), (float) score[0], 0);
    }
  }

  @Test
  void theReportHasWhatWasFoundByHandAndWhatItTook() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null);
    Map<String, List<String>> best = new HashMap<>();
    for (JudgedQuery query : folder.heldOut(queries)) {
      best.put(
          query.id(),
          query.judgments().keySet().stream()
              .sorted(Comparator.comparingInt((String d) -> -query.grade(d)))
              .toList());
    }
    TunedFirstPass byHand = new TunedFirstPass("a<b", Map.of("a<b", 1.0), best);
    FolderFiles.write(folder.files().tuned(), byHand);
    FolderFiles.write(
        folder.files().latency(),
        new Latency(10, 10, 400, 2, 3, Map.of("bind", 1_000_000L, "score", 500_000L)));
    PairedBootstrap none = new PairedBootstrap(0, -0.01, 0.01, 1, 0);
    Frontier.Times times = new Frontier.Times(1.5, 20, 30);
    FolderFiles.write(
        folder.files().cost(),
        new Frontier(
            7,
            List.of(new Frontier.Feature("<worth>", 2.5, 1, none, none)),
            List.of(
                new Frontier.Point("all", List.of("<worth>"), 30, 40, 0.8, none, true, times))));
    assertFalse(evaluate(folder, queries), "nothing is better than the best order");
    String page = Files.readString(folder.files().report());
    assertTrue(page.contains("worse than the best first pass tuned by hand (1.0000)"), page);
    assertTrue(page.contains("<b>a&lt;b</b>"), page);
    assertTrue(page.contains("<h2>Sizing</h2>"), page);
    String cell = "<td class=\"number\">";
    assertTrue(
        page.contains("&lt;worth&gt;" + cell + "2.5" + cell + "1.0" + cell + "+0.0000"), page);
    assertTrue(
        page.contains("all ◀" + cell + "1" + cell + "30" + cell + "40" + cell + "0.8000"), page);
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null);
    Failure unjudged = assertThrows(Failure.class, folder::result);
    assertTrue(
        unjudged.getMessage().endsWith("run quickscorer evaluate " + temp + " --judgments FILE"),
        unjudged.getMessage());
    assertTrue(evaluate(folder, queries), "a new training forgets the old comparison");
  }

  /** The page stands alone, and what a user wrote is text in it. */
  @Test
  void theReportNeedsNothingElse() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null);
    evaluate(folder, queries);
    String page = Files.readString(folder.files().report());
    for (String request :
        List.of("http:", "https:", "src=", "<script", "<link", "@import", "url(")) {
      assertFalse(page.contains(request), request);
    }
    assertTrue(page.contains("&lt;of&gt;"), "a query's text is escaped");
    Set<String> plots = new HashSet<>();
    for (String part : page.split("<title>")) {
      plots.add(part.substring(0, Math.max(0, part.indexOf("</title>"))));
    }
    assertTrue(
        plots.containsAll(
            Set.of(
                "NDCG gain per query",
                "learning curve",
                "feature importance",
                "mean absolute SHAP value",
                "SHAP over worth")),
        plots.toString());
    assertFalse(page.contains("NaN"), "a plot has a place for each point");
  }

  /** Its leaves have no contributions of features. */
  @Test
  void linearTreesAreJudged() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    TrainingOptions linear = new TrainingOptions(10, 10, Map.of("linear_tree", "true"));
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(linear), false, null);
    evaluate(folder, queries);
    assertTrue(Files.readString(temp.resolve("model.txt")).contains("leaf_coeff="));
    assertTrue(Files.exists(temp.resolve("result.json")));
    String report = Files.readString(folder.files().report());
    assertTrue(report.contains("contributions are not defined for linear leaves"), report);
  }

  /** Grades only stop and evaluate the training; the rows are those of searches with clicks. */
  @Test
  void aModelLearnsFromSingleSearches() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    Random random = new Random(9);
    List<String> lines = new ArrayList<>(List.of("session,query,document,position,clicked"));
    for (int s = 0; s < 2_000; s++) {
      JudgedQuery query = queries.get(random.nextInt(QUERIES));
      for (int k = 1; k <= 10; k++) {
        String document = "d" + (s + 3 * k) % HITS;
        boolean clicked = random.nextInt(k) == 0 && query.grade(document) > 0;
        lines.add(s + "," + query.text() + "," + document + "," + k + "," + (clicked ? 1 : 0));
      }
    }
    Path searches = Files.write(temp.resolve("searches.csv"), lines);
    for (Trainer trainer : List.of(new LightGbmTrainer(), new XGBoostTrainer())) {
      folder.train(trainer, judged(queries), 0.25, List.of(FEW), false, searches);
      assertTrue(evaluate(folder, queries), trainer.description());
      JsonNode clicks =
          JSON.readTree(Files.readString(temp.resolve("training.json"))).get("clicks");
      assertTrue(clicks.get(0).asString().contains(" single searches of "), clicks.toString());
      assertTrue(
          Files.readString(folder.files().report()).contains("left out: "), clicks.toString());
    }
    Files.writeString(searches, lines.getFirst() + "\n");
    Failure none =
        assertThrows(
            Failure.class,
            () ->
                folder.train(
                    new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, searches));
    assertTrue(
        none.getMessage().startsWith(searches + ": found no search to learn from"),
        none.getMessage());
  }

  @Test
  void documentsOfSeveralIndicesWithOneIdAreRefused() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    String row = "{\"qid\":\"7\",\"_id\":\"d3\",\"label\":0,\"features\":[1,2]}\n";
    Files.writeString(folder.files().features(), row, StandardOpenOption.APPEND);
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                folder.train(
                    new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null));
    assertEquals(
        "query [7] has two hits with the id [d3], which several indices contain; log one index",
        failure.getMessage());
  }

  /** As a query over a field that the index lacks. */
  @Test
  void aFeatureThatIsTheSameInAllRowsIsRefused() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true);
    String rows = Files.readString(folder.files().features());
    String logged = "],\"logged\":{\"index\":\"products\",\"feature_set\":\"shop\"}";
    Files.writeString(
        folder.files().features(),
        rows.replaceAll("features\":\\[[^,]*,", "features\":[null,").replaceFirst("]", logged));
    Failure failure =
        assertThrows(
            Failure.class,
            () ->
                folder.train(
                    new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null));
    String said = failure.getMessage();
    assertTrue(said.contains("feature [worth] is missing in all rows"), said);
    assertTrue(said.contains("PUT /_plugins/_quickscorer/feature_sets/shop?index=products"), said);
    folder.train(new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), true, null);
  }

  @Test
  void tooLittleIsSaid() throws Exception {
    TrainingFolder folder = new TrainingFolder(temp);
    List<JudgedQuery> queries = log(folder.files().features(), true).subList(0, 1);
    Failure failure =
        assertThrows(
            Failure.class,
            () ->
                folder.train(
                    new LightGbmTrainer(), judged(queries), 0.25, List.of(FEW), false, null));
    assertTrue(failure.getMessage().contains("judgments of more queries"), failure.getMessage());
    assertThrows(Failure.class, () -> evaluate(new TrainingFolder(temp.resolve("x")), queries));
  }
}

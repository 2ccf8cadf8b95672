// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** From a keyword field to a served model that splits by categories. */
final class TrainCategoriesIT {
  private static final String INDEX = "train_categories";
  private static final String SET = "train_categories";
  private static final int DOCUMENTS = 600;
  private static final List<String> COLOURS =
      List.of("red", "blue", "green", "black", "white", "brown", "pink");
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private static Path temp;
  private static Path judgments;

  /** Shoppers like every other colour; a twentieth of the documents has none. */
  @BeforeAll
  static void index() throws Exception {
    NodeClient client = SharedNode.get().client();
    client.put(
        "/" + INDEX,
        """
        {"mappings": {"properties": {"title": {"type": "text"}, "colour": {"type": "keyword"},
          "size": {"type": "integer"}, "worth": {"type": "float"}}}}
        """);
    client.put(
        "/_plugins/_quickscorer/feature_sets/" + SET,
        """
        {"features": [
          {"name": "worth", "type": "field", "field": "worth"},
          {"name": "colour", "type": "field", "field": "colour", "missing": 7,
           "categories": ["red", "blue", "green", "black", "white", "brown", "pink"]},
          {"name": "size", "type": "field", "field": "size", "categories": [38, 36, 40]}]}
        """);
    Random random = new Random(3);
    StringBuilder lines = new StringBuilder();
    List<String> judged = new ArrayList<>(List.of("query\tdoc_id\tgrade"));
    for (int d = 0; d < DOCUMENTS; d++) {
      ObjectNode document = JSON.createObjectNode().put("title", "shoe word" + d % 60);
      int colour = random.nextInt(COLOURS.size());
      if (random.nextInt(20) > 0) {
        document.put("colour", COLOURS.get(colour));
      }
      document.put("size", 36 + 2 * random.nextInt(3)).put("worth", random.nextFloat());
      lines.append("{\"index\":{\"_id\":\"d").append(d).append("\"}}\n").append(document);
      lines.append('\n');
      judged.add("shoe word" + d % 60 + "\td" + d + "\t" + (colour % 2 == 0 ? 1 : 0));
    }
    client.post("/" + INDEX + "/_bulk?refresh=true", lines.toString());
    judgments = Files.write(temp.resolve("judgments.tsv"), judged);
  }

  private static String quickscorer(String command, String... more) throws Exception {
    return quickscorer(command, SET, more);
  }

  private static String quickscorer(String command, String set, String[] more) throws Exception {
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(List.of("--cluster", SharedNode.get().address().toString()));
    line.addAll(List.of("--index", INDEX, "--feature-set", set));
    line.addAll(List.of("--judgments", judgments.toString(), "--size", "40", "--query"));
    line.add("{\"match\": {\"title\": {\"query\": \"{{keywords}}\", \"operator\": \"or\"}}}");
    line.addAll(List.of(more));
    return TrainIT.run(line);
  }

  private static JsonNode searched(String model) throws Exception {
    return SharedNode.get()
        .client()
        .post(
            "/" + INDEX + "/_search",
            """
            {"size": 200, "query": {"match_all": {}}, "rescore": {"window_size": 200,
              "quickscorer": {"model": "%s", "log": true}}}
            """
                .formatted(model));
  }

  /** Scores of a search are the scores of the file, bit by bit, of rows with their categories. */
  private static void assertServed(String model, byte[] file) throws Exception {
    TreeEnsemble ensemble = ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    assertTrue(ensemble.shape().categoricalSplits() > 0, "it splits by categories");
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.CPU);
    JsonNode answer = searched(model);
    List<String> names =
        answer
            .at("/ext/quickscorer/0/feature_names")
            .valueStream()
            .map(JsonNode::asString)
            .toList();
    for (JsonNode hit : answer.at("/hits/hits")) {
      JsonNode values = hit.at("/fields/_quickscorer/0/features");
      float[] row = new float[ensemble.featureNames().size()];
      for (int f = 0; f < row.length; f++) {
        int at = names.indexOf(ensemble.featureNames().get(f));
        row[f] = at < 0 || values.get(at).isNull() ? Float.NaN : values.get(at).floatValue();
      }
      double[] score = new double[1];
      scorer.score(FeatureMatrix.ofRows(row, row.length), scorer.newScratch(), score);
      assertEquals((float) score[0], hit.get("_score").floatValue(), 0);
    }
  }

  @Test
  void trainTakesThemFromTheFeatureSet() throws Exception {
    for (String trainer : List.of("lightgbm", "xgboost")) {
      Path folder = temp.resolve(trainer);
      String model = "train_categories_" + trainer;
      quickscorer(
          "train",
          "-o",
          folder.toString(),
          "--trainer",
          trainer,
          "--trees",
          "10",
          "--upload",
          model);
      JsonNode made = JSON.readTree(Files.readString(folder.resolve("training.json")));
      assertEquals("[\"colour\",\"size\"]", made.get("categorical_features").toString());
      assertServed(model, Files.readAllBytes(folder.resolve(made.get("model").asString())));
    }
  }

  /** CatBoost scores the rows of a search itself, by its library for Spark. */
  @ParameterizedTest
  @ValueSource(ints = {2, 10})
  void catBoostTrainsAndScoresTheSame(int oneHot) throws Exception {
    String spark = System.getProperty("catboost.command", "");
    Assumptions.assumeFalse(spark.isEmpty(), "only with -Pcatboost");
    Path program = temp.resolve("catboost");
    Files.writeString(
        program,
        "#!/bin/sh\ncd %s && CATBOOST_JAVA=%s exec %s \"$@\"\n"
            .formatted(temp, System.getProperty("catboost.java"), spark));
    assertTrue(program.toFile().setExecutable(true));
    Path folder = temp.resolve("catboost" + oneHot);
    String model = "train_categories_catboost_" + oneHot;
    List<String> line = new ArrayList<>(List.of("-o", folder.toString(), "--trainer", "catboost"));
    line.addAll(List.of("--catboost", program.toString(), "--trees", "20", "--upload", model));
    line.addAll(List.of("-P", "one_hot_max_size=" + oneHot, "-P", "depth=4"));
    // Training on Spark knows of YetiRank's own measure only.
    line.addAll(List.of("-P", "eval-metric=NDCG:type=Base"));
    quickscorer("train", line.toArray(String[]::new));
    JsonNode made = JSON.readTree(Files.readString(folder.resolve("training.json")));
    assertEquals("[\"colour\",\"size\"]", made.get("categorical_features").toString());
    assertEquals("NDCG:type=Base", made.at("/curve/measure").asString());
    JsonNode hits = searched(model).at("/hits/hits");
    assertEquals(200, hits.size());
    List<String> rows = new ArrayList<>();
    Set<Float> scores = new HashSet<>();
    for (JsonNode hit : hits) {
      JsonNode values = hit.at("/fields/_quickscorer/0/features");
      double worth = values.get(0).floatValue();
      rows.add(
          "0\t0\t" + worth + "\t" + values.get(1).intValue() + "\t" + values.get(2).intValue());
      scores.add(hit.get("_score").floatValue());
    }
    assertTrue(scores.size() > 20, "scores differ: " + scores.size());
    Path columns = folder.resolve("columns.cd");
    Files.writeString(
        columns, "0\tLabel\n1\tGroupId\n2\tNum\tworth\n3\tCateg\tcolour\n4\tCateg\tsize\n");
    Path scored = folder.resolve("scored.tsv");
    Program.run(
        temp,
        "",
        program.toString(),
        "calc",
        "--model-path=" + folder.resolve("model.cbm"),
        "--input-path=" + Files.write(folder.resolve("rows.tsv"), rows),
        "--column-description=" + columns,
        "--output-path=" + scored);
    List<String> theirs = Files.readAllLines(scored);
    for (int i = 0; i < hits.size(); i++) {
      double expected = Double.parseDouble(theirs.get(i + 1).split("\t")[1]);
      assertEquals((float) expected, hits.get(i).get("_score").floatValue(), 0);
    }
    assertScoredAlike(folder);
  }

  /** The rows of the training, to the last bit of a double. */
  private static void assertScoredAlike(Path folder) throws IOException {
    TreeEnsemble ensemble =
        ModelReader.read(folder.resolve("model.cbm"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.CPU);
    assertTrue(
        ensemble.derived() != null || ensemble.shape().categoricalSplits() > 0,
        "it splits by categories");
    JsonNode parity = JSON.readTree(Files.readString(folder.resolve("parity.json")));
    assertEquals(50, parity.get("rows").size());
    for (int i = 0; i < 50; i++) {
      JsonNode values = parity.get("rows").get(i);
      float[] row = new float[values.size()];
      for (int f = 0; f < row.length; f++) {
        row[f] = values.get(f).floatValue();
      }
      double[] score = new double[1];
      scorer.score(FeatureMatrix.ofRows(row, row.length), scorer.newScratch(), score);
      assertEquals(parity.get("expected").get(i).doubleValue(), score[0], 0);
    }
  }

  /** The table into LightGBM's own library, as somebody does who trains elsewhere. */
  @Test
  void lightGbmTakesThemFromTheFileBeside() throws Exception {
    Path csv = temp.resolve("train.csv");
    quickscorer("log", "--format", "lightgbm", "-o", csv.toString());
    List<String> told = Files.readAllLines(temp.resolve("train.csv.conf"));
    assertTrue(told.contains("categorical_feature=name:colour,size"), told.toString());
    String parameters =
        String.join(" ", told) + " objective=lambdarank min_data_per_group=5 verbosity=-1 seed=1";
    String text;
    try (LGBMDataset data = LGBMDataset.createFromFile(csv.toString(), parameters, null);
        LGBMBooster booster = LGBMBooster.create(data, parameters)) {
      for (int tree = 0; tree < 10; tree++) {
        booster.updateOneIter();
      }
      text = booster.saveModelToString(0, 0, LGBMBooster.FeatureImportanceType.GAIN);
    }
    ObjectNode body = JSON.createObjectNode().put("model", text).put("feature_set", SET);
    String model = "train_categories_outside";
    SharedNode.get().client().put("/_plugins/_quickscorer/models/" + model, body.toString());
    assertServed(model, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theOtherTrainersAreToldToo() throws Exception {
    Path txt = temp.resolve("train.txt");
    quickscorer("log", "--format", "xgboost", "-o", txt.toString());
    assertEquals(
        List.of("0\tworth\tq", "1\tcolour\tc", "2\tsize\tc"),
        Files.readAllLines(temp.resolve("train.txt.fmap")));
    Path dsv = temp.resolve("train.dsv");
    quickscorer("log", "--format", "catboost", "-o", dsv.toString());
    assertEquals(
        List.of("3\tNum\tworth", "4\tCateg\tcolour", "5\tCateg\tsize"),
        Files.readAllLines(temp.resolve("train.dsv.cd")).subList(3, 6));
    for (String row : Files.readAllLines(dsv)) {
      assertTrue(row.matches(".*\t[0-7]\t[0-2]"), row);
    }
  }

  /** CatBoost takes an empty cell for one more category, which no search has. */
  @Test
  void aMissingCategoryIsRefusedForCatBoost() throws Exception {
    String set =
        """
        {"features": [{"name": "colour", "type": "field", "field": "colour", "categories": ["red"]}]}
        """;
    SharedNode.get().client().put("/_plugins/_quickscorer/feature_sets/one_colour", set);
    IOException e =
        assertThrows(
            IOException.class,
            () ->
                quickscorer(
                    "log",
                    "one_colour",
                    new String[] {
                      "--format", "catboost", "-o", temp.resolve("one.dsv").toString()
                    }));
    String said = String.valueOf(e.getMessage());
    assertTrue(said.contains("no value for the categorical feature [colour]"), said);
  }
}

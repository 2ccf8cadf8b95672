// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.test.OpenSearchTestCase;

/**
 * The trainers themselves read what is exported for them, train on it, and score its rows as we do.
 * One feature is a category.
 */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // RankLib's pool
public class TrainersReadExportsTests extends OpenSearchTestCase {
  private static final int QUERIES = 40;
  private static final int PER_QUERY = 20;
  private static final List<String> NAMES =
      List.of("title_match", "popularity", "first_pass", "colour");

  private static final Set<String> CATEGORICAL = Set.of("colour");

  private final List<LogFormat.Row> rows = new ArrayList<>();

  /**
   * The label follows three features, so that there is something to learn; a quarter is missing.
   */
  private void makeRows() {
    for (int q = 0; q < QUERIES; q++) {
      for (int d = 0; d < PER_QUERY; d++) {
        float[] values = new float[NAMES.size()];
        for (int f = 0; f < values.length; f++) {
          values[f] = random().nextInt(4) == 0 ? Float.NaN : random().nextFloat() * 10 - 3;
        }
        values[3] = random().nextInt(8);
        double worth =
            (Float.isNaN(values[0]) ? 0 : values[0])
                + (Float.isNaN(values[2]) ? -2 : values[2])
                + (values[3] % 3 == 1 ? 6 : 0);
        int label = Math.clamp(Math.round(worth / 4), 0, 3);
        rows.add(new LogFormat.Row(q + 1, "doc \"" + d + '"', label, values));
      }
    }
  }

  private Path write(LogFormat format, String name) throws IOException {
    makeRows();
    NAMES.forEach(format::check);
    StringBuilder text = new StringBuilder(format.header(NAMES));
    for (LogFormat.Row row : rows) {
      text.append(format.row(row));
    }
    return Files.writeString(createTempDir().resolve(name), text);
  }

  /** Our scores of the rows, by a model whose features are a row's in the given order. */
  private double[] ours(byte[] model, List<String> expectedNames) throws Exception {
    TreeEnsemble ensemble = ModelReader.read(model, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    if (!expectedNames.isEmpty()) {
      assertEquals(expectedNames, ensemble.featureNames());
    }
    int features = ensemble.featureNames().size();
    int skipped = expectedNames.indexOf(NAMES.getFirst());
    FeatureMatrix matrix = new FeatureMatrix(features, rows.size());
    for (int r = 0; r < rows.size(); r++) {
      for (int f = 0; f < features; f++) {
        int at = f - Math.max(0, skipped);
        matrix.set(r, f, at < 0 ? Float.NaN : rows.get(r).values()[at]);
      }
    }
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.AUTO);
    double[] scores = new double[rows.size()];
    scorer.score(matrix, scorer.newScratch(), scores);
    assertTrue("it learnt nothing", ensemble.shape().trees() > 5);
    return scores;
  }

  private float[] flat(int skipped) {
    int width = skipped + NAMES.size();
    float[] flat = new float[rows.size() * width];
    for (int r = 0; r < rows.size(); r++) {
      System.arraycopy(rows.get(r).values(), 0, flat, r * width + skipped, NAMES.size());
    }
    return flat;
  }

  public void testLightGbm() throws Exception {
    Path file = write(LogFormat.LIGHTGBM, "train.csv");
    String columns =
        LogFormat.LIGHTGBM.columns(NAMES, CATEGORICAL).lines().collect(Collectors.joining(" "));
    String parameters =
        columns
            + " objective=lambdarank num_leaves=7 min_data_in_leaf=5 min_data_per_group=5"
            + " num_threads=1 deterministic=true force_row_wise=true seed=1 verbosity=-1";
    try (TrainerLibrary library = TrainerLibrary.open()) {
      Object data =
          library.call(
              "io.github.metarank.lightgbm4j.LGBMDataset",
              "createFromFile",
              file.toString(),
              parameters,
              null);
      assertEquals(rows.size(), TrainerLibrary.call(data, "getNumData"));
      float[] labels = (float[]) TrainerLibrary.call(data, "getFieldFloat", "label");
      for (int r = 0; r < rows.size(); r++) {
        assertEquals(rows.get(r).label().floatValue(), labels[r], 0);
      }
      int[] ends = (int[]) TrainerLibrary.call(data, "getFieldInt", "group");
      assertEquals(QUERIES + 1, ends.length);
      assertEquals(PER_QUERY, ends[1] - ends[0]);
      Object booster =
          library.call("io.github.metarank.lightgbm4j.LGBMBooster", "create", data, parameters);
      for (int i = 0; i < 20; i++) {
        TrainerLibrary.call(booster, "updateOneIter");
      }
      Object gain =
          library.constant(
              "io.github.metarank.lightgbm4j.LGBMBooster$FeatureImportanceType", "GAIN");
      String model = (String) TrainerLibrary.call(booster, "saveModelToString", 0, 0, gain);
      double[] theirs =
          (double[])
              TrainerLibrary.call(
                  booster,
                  "predictForMat",
                  flat(1),
                  rows.size(),
                  NAMES.size() + 1,
                  true,
                  library.constant(
                      "com.microsoft.ml.lightgbm.PredictionType", "C_API_PREDICT_RAW_SCORE"));
      List<String> names = new ArrayList<>(List.of("qid"));
      names.addAll(NAMES);
      TrainersReadFloatsTests.checkLightGbmReadsEveryFloat(library);
      assertTrue(model, model.contains("cat_boundaries"));
      assertArrayEquals(theirs, ours(model.getBytes(UTF_8), names), 0);
    }
  }

  public void testXgBoost() throws Exception {
    Path file = write(LogFormat.XGBOOST, "train.txt");
    try (TrainerLibrary library = TrainerLibrary.open()) {
      Object data = library.create("ml.dmlc.xgboost4j.java.DMatrix", file + "?format=libsvm");
      assertEquals((long) rows.size(), TrainerLibrary.call(data, "rowNum"));
      int[] ends = (int[]) TrainerLibrary.call(data, "getGroup");
      assertEquals(QUERIES + 1, ends.length);
      List<String[]> columns =
          LogFormat.XGBOOST.columns(NAMES, CATEGORICAL).lines().map(l -> l.split("\t")).toList();
      String[] names = columns.stream().map(column -> column[1]).toArray(String[]::new);
      String[] types = columns.stream().map(column -> column[2]).toArray(String[]::new);
      TrainerLibrary.call(data, "setFeatureNames", (Object) names);
      TrainerLibrary.call(data, "setFeatureTypes", (Object) types);
      Map<String, Object> parameters =
          Map.of("objective", "rank:ndcg", "max_depth", 3, "nthread", 1, "tree_method", "hist");
      String root = "ml.dmlc.xgboost4j.java.";
      Object booster =
          library.callLinked(
              root + "XGBoost",
              "train",
              List.of(
                  library.type(root + "Booster"),
                  library.type(root + "DMatrix"),
                  Map.class,
                  int.class,
                  Map.class,
                  library.type(root + "IObjective"),
                  library.type(root + "IEvaluation")),
              data,
              parameters,
              20,
              Map.of(),
              null,
              null);
      float[][] theirs = (float[][]) TrainerLibrary.call(booster, "predict", data, true);
      byte[] model = (byte[]) TrainerLibrary.call(booster, "toByteArray", "json");
      assertTrue(new String(model, UTF_8).matches("(?s).*\"categories\":\\[\\d.*"));
      double[] ours = ours(model, NAMES);
      for (int r = 0; r < ours.length; r++) {
        assertEquals(theirs[r][0], (float) ours[r], 0);
      }
    }
  }

  public void testRankLib() throws Exception {
    Path file = write(LogFormat.RANKLIB, "train.txt");
    try (TrainerLibrary library = TrainerLibrary.open()) {
      library.call("ciir.umass.edu.utilities.MyThreadPool", "init", 1);
      List<?> lists =
          (List<?>)
              library.call("ciir.umass.edu.features.FeatureManager", "readInput", file.toString());
      assertEquals(QUERIES, lists.size());
      Object metric =
          TrainerLibrary.call(
              library.create("ciir.umass.edu.metric.MetricScorerFactory"),
              "createScorer",
              library.constant("ciir.umass.edu.metric.METRIC", "NDCG"),
              10);
      library.type("ciir.umass.edu.learning.tree.LambdaMART").getField("nTrees").setInt(null, 20);
      Object ranker =
          TrainerLibrary.call(
              library.create("ciir.umass.edu.learning.RankerTrainer"),
              "train",
              library.constant("ciir.umass.edu.learning.RANKER_TYPE", "LAMBDAMART"),
              lists,
              new int[] {1, 2, 3, 4},
              metric);
      String model = (String) TrainerLibrary.call(ranker, "model");
      double[] ours = ours(model.getBytes(UTF_8), List.of());
      int row = 0;
      for (Object list : lists) {
        int size = (Integer) TrainerLibrary.call(list, "size");
        for (int i = 0; i < size; i++) {
          Object point = TrainerLibrary.call(list, "get", i);
          assertEquals((Double) TrainerLibrary.call(ranker, "eval", point), ours[row++], 0);
        }
      }
      assertEquals(rows.size(), row);
      Object pool = library.call("ciir.umass.edu.utilities.MyThreadPool", "getInstance");
      TrainerLibrary.call(pool, "shutdown");
    }
  }

  /**
   * Its library for Spark does, in a JVM of its own: {@code mvn -Pcatboost -pl plugin -am test
   * -Dtest=TrainersReadExportsTests -Dsurefire.failIfNoSpecifiedTests=false}.
   */
  public void testCatBoost() throws Exception {
    checkCatBoost(Set.of());
  }

  public void testCatBoostByCategory() throws Exception {
    checkCatBoost(CATEGORICAL);
  }

  private void checkCatBoost(Set<String> categorical) throws Exception {
    String program = System.getProperty("catboost.command", "");
    assumeFalse("only with -Pcatboost", program.isEmpty());
    Path pool = write(LogFormat.CATBOOST, "train.dsv");
    Path columns = pool.resolveSibling("train.dsv.cd");
    Files.writeString(columns, LogFormat.CATBOOST.columns(NAMES, categorical));
    Path model = pool.resolveSibling("model.cbm");
    Path scored = pool.resolveSibling("scored.tsv");
    Path log = pool.resolveSibling("spark.log");
    List<String> command = new ArrayList<>(List.of(program));
    List.of(pool, columns, model, scored).forEach(path -> command.add(path.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.directory(pool.getParent().toFile());
    builder.environment().put("CATBOOST_JAVA", System.getProperty("catboost.java"));
    assertEquals(log.toString(), 0, builder.start().waitFor());
    double[] ours = ours(Files.readAllBytes(model), NAMES);
    List<String> lines = Files.readAllLines(scored);
    assertEquals(ours.length, lines.size());
    for (int r = 0; r < ours.length; r++) {
      String[] cells = lines.get(r).split("\t");
      assertEquals(rows.get(r).label().doubleValue(), Double.parseDouble(cells[0]), 0);
      assertEquals(Double.parseDouble(cells[1]), ours[r], 0);
      for (int f = 0; f < NAMES.size(); f++) {
        assertEquals(rows.get(r).values()[f], Float.parseFloat(cells[f + 2]), 0);
      }
    }
  }
}

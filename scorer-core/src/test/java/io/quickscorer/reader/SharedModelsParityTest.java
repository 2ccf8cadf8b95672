// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Larger models with expected scores that lie outside the repository: in the folder of {@code
 * -Dtests.shared}, or in a folder {@code shared} beside the repository. Skipped without one.
 *
 * <p>Features are floats here and doubles in LightGBM. A row is left out, and counted, if rounding
 * its values to float moves one of them across a threshold.
 */
final class SharedModelsParityTest {
  private static final String MSLR = "ltr/mslr-web10k-sample/fold1_test_sample.txt.gz";
  private static final String CLUEWEB = "ltr/clueweb09-webtrack/fold3.txt.gz";
  private static final String RANK = "ltr/lightgbm-lambdarank/rank.test.gz";
  private static final String RANDOM = "models/xgboost-compat/expected/input_rand4.tsv";

  /** A model, its rows, its expected raw scores. */
  private record Job(String model, String rows, String expected) {}

  private static List<Job> jobs() {
    List<Job> jobs = new ArrayList<>();
    String lightGbm = "models/generated-lightgbm-4.3.0/";
    for (String name : List.of("categorical_mslr_60x31", "dart_lambdarank_mslr_100x15")) {
      jobs.add(lightGbm(lightGbm + name, MSLR));
    }
    jobs.add(lightGbm(lightGbm + "rf_regression_mslr_50x31", MSLR));
    jobs.add(lightGbm(lightGbm + "lambdarank_clueweb09_300x31", CLUEWEB));
    jobs.add(lightGbm(lightGbm + "lambdarank_clueweb09_1000x64_bench", CLUEWEB));
    jobs.add(lightGbm(lightGbm + "lambdarank_zero_as_missing_100x31", RANK));
    String nan = lightGbm + "regression_nan_mslr_100x31";
    jobs.add(lightGbm(nan, nan + ".input.tsv.gz"));
    for (String version : List.of("2.1.4", "3.4.0")) {
      String xgBoost = "models/generated-xgboost-" + version + "/";
      jobs.add(xgBoost(xgBoost + "rank_ndcg_clueweb09_200xd6", CLUEWEB));
      nan = xgBoost + "reg_nan_mslr_100xd6";
      jobs.add(xgBoost(nan, nan + ".input.tsv.gz"));
    }
    jobs.add(xgBoost("models/generated-xgboost-3.4.0/categorical_reg_mslr_60xd6", MSLR));
    jobs.add(xgBoost("models/generated-xgboost-3.4.0/dart_logistic_mslr_50xd4", MSLR));
    for (String kind : List.of("reg", "logit", "logitraw", "ltr")) {
      String name = "xgboost-1.0.0rc1." + kind + ".json";
      jobs.add(
          new Job(
              "models/xgboost-compat/" + name,
              RANDOM,
              "models/xgboost-compat/expected/" + name + ".margin.tsv"));
    }
    String catBoost = "models/catboost-cgo/";
    for (String encoding : List.of(".cbm", ".converted.json")) {
      String ranker = catBoost + "ranker" + encoding;
      jobs.add(new Job(ranker, MSLR, catBoost + "ranker.expected_on_mslr_fold1_test_sample.tsv"));
      for (String name : List.of("ranker", "regressor")) {
        String rows = catBoost + name + ".rand_input.tsv";
        jobs.add(
            new Job(catBoost + name + encoding, rows, catBoost + name + ".rand_expected_raw.tsv"));
      }
    }
    String linear = "models/generated-xgboost-2.1.4/gblinear_reg_mslr.";
    for (String encoding : List.of("json", "ubj", "deprecated.bin")) {
      jobs.add(new Job(linear + encoding, MSLR, linear + "expected_margin.tsv"));
    }
    return jobs;
  }

  private static Job lightGbm(String stem, String rows) {
    return new Job(stem + ".txt.gz", rows, stem + ".expected_raw.tsv");
  }

  private static Job xgBoost(String stem, String rows) {
    return new Job(stem + ".json.gz", rows, stem + ".expected_margin.tsv");
  }

  private static Path shared() {
    String given = System.getProperty("tests.shared");
    Path folder = given == null ? Path.of("../../shared") : Path.of(given);
    assumeTrue(Files.isDirectory(folder.resolve("data/models")), "no shared models here");
    return folder.resolve("data");
  }

  @Test
  void expectedScores() throws IOException {
    Path data = shared();
    for (Job job : jobs()) {
      check(data, job);
    }
  }

  private static void check(Path data, Job job) throws IOException {
    byte[] file = read(data, job.model);
    TreeEnsemble ensemble = ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    int features = ensemble.featureNames().size();
    List<double[]> rows =
        rows(
            text(data, job.rows),
            features,
            job.rows.endsWith(".tsv.gz") || job.rows.endsWith(".tsv"));
    FeatureMatrix matrix = new FeatureMatrix(features, rows.size());
    for (int row = 0; row < rows.size(); row++) {
      for (int f = 0; f < features; f++) {
        matrix.set(row, f, (float) rows.get(row)[f]);
      }
    }
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.OBJECT);
    double[] scores = new double[rows.size()];
    Scratch scratch = scorer.newScratch();
    scorer.score(matrix, scratch, scores);
    List<String> expected = text(data, job.expected).lines().toList();
    assertEquals(expected.size(), scores.length, job.model);
    List<List<Double>> thresholds =
        ensemble.source().format().label().startsWith("lightgbm")
            ? lightGbmThresholds(new String(file, StandardCharsets.UTF_8), features)
            : List.of();
    int leftOut = 0;
    long worst = 0;
    for (int row = 0; row < scores.length; row++) {
      if (crossesThreshold(rows.get(row), thresholds)) {
        leftOut++;
        continue;
      }
      double wanted = Double.parseDouble(expected.get(row));
      worst = Math.max(worst, Ulps.between(ensemble.accumulator(), wanted, scores[row]));
    }
    System.out.printf(
        "shared %s: %d rows, %d left out, max %d ulp%n", job.model, scores.length, leftOut, worst);
    assertEquals(0, worst, job.model);
    assertTrue(leftOut < scores.length / 20, job.model);
  }

  private static boolean crossesThreshold(double[] row, List<List<Double>> thresholds) {
    for (int f = 0; f < thresholds.size(); f++) {
      for (double threshold : thresholds.get(f)) {
        if ((row[f] <= threshold) != ((float) row[f] <= threshold)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<List<Double>> lightGbmThresholds(String text, int features) {
    List<List<Double>> thresholds = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      thresholds.add(new ArrayList<>());
    }
    String[] splitFeatures = {};
    for (String line : text.lines().toList()) {
      if (line.startsWith("split_feature=")) {
        splitFeatures = line.substring(line.indexOf('=') + 1).split(" ");
      } else if (line.startsWith("threshold=")) {
        String[] values = line.substring(line.indexOf('=') + 1).split(" ");
        for (int i = 0; i < values.length && !values[i].isEmpty(); i++) {
          double threshold = values[i].equals("inf") ? 1e300 : Double.parseDouble(values[i]);
          thresholds.get(Integer.parseInt(splitFeatures[i])).add(threshold);
        }
      }
    }
    return thresholds;
  }

  /** Tables hold all features; LETOR lines count them from 1. */
  private static List<double[]> rows(String text, int features, boolean table) {
    List<double[]> rows = new ArrayList<>();
    for (String line : text.lines().toList()) {
      double[] row = new double[features];
      if (table) {
        String[] fields = line.split("\t");
        Arrays.setAll(row, f -> Double.parseDouble(fields[f]));
      } else {
        for (String word : line.split("#", 2)[0].split(" ")) {
          int colon = word.indexOf(':');
          if (colon > 0 && !word.startsWith("qid:")) {
            int feature = Integer.parseInt(word.substring(0, colon)) - 1;
            row[feature] = Double.parseDouble(word.substring(colon + 1));
          }
        }
      }
      rows.add(row);
    }
    return rows;
  }

  private static String text(Path data, String name) throws IOException {
    return new String(read(data, name), StandardCharsets.UTF_8);
  }

  /** A file's content, whether it is stored gzipped or not. */
  private static byte[] read(Path data, String name) throws IOException {
    Path file = data.resolve(name);
    byte[] bytes = Files.readAllBytes(Files.exists(file) ? file : data.resolve(name + ".gz"));
    if (bytes.length > 2 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b) {
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
        return in.readAllBytes();
      }
    }
    return bytes;
  }
}

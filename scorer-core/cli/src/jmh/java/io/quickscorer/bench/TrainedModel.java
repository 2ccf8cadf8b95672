// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A LambdaMART model that LightGBM trained here on synthetic queries, and documents to score.
 *
 * <p>Training takes up to a minute per model and depends on nothing but the sizes, so the file is
 * kept below {@code target} and trained again only if it is not there.
 *
 * @param text the model as LightGBM writes it
 * @param ensemble the same, read by us
 */
public record TrainedModel(String text, TreeEnsemble ensemble) {
  static final int FEATURES = 136;
  private static final int QUERY = 100;
  private static final int ROWS = 20_000;

  /** Trees that are trained in a few minutes. */
  private static final int MAX_TRAINED = 5_000;

  /** The model of this many trees and at most this many leaves per tree. */
  public static TrainedModel of(int trees, int leaves) {
    Path file = Path.of("target", "bench", "lambdarank-" + trees + "x" + leaves + ".txt");
    try {
      if (!Files.exists(file)) {
        System.err.println("training " + trees + " trees of " + leaves + " leaves ...");
        Files.createDirectories(file.getParent());
        Path unfinished = Files.createTempFile(file.getParent(), "model", ".txt");
        Files.writeString(unfinished, train(trees, leaves));
        Files.move(unfinished, file);
      }
      byte[] bytes = Files.readAllBytes(file);
      return new TrainedModel(
          new String(bytes, StandardCharsets.UTF_8),
          ModelReader.read(bytes, ModelFormats.LIGHTGBM_TEXT, EnsembleLimits.DEFAULT));
    } catch (IOException | LGBMException e) {
      throw new IllegalStateException("no model of " + trees + " trees", e);
    }
  }

  /** The same for any number of trees: beyond some thousands, trained ones are taken repeatedly. */
  static TrainedModel sized(int trees, int leaves) {
    int times = Math.ceilDiv(trees, MAX_TRAINED);
    return of(trees / times, leaves).repeated(times);
  }

  /**
   * The model with its trees taken so many times one after the other; without text, unless once.
   */
  TrainedModel repeated(int times) {
    if (times == 1) {
      return this;
    }
    List<Tree> trees = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      trees.addAll(ensemble.trees());
    }
    return new TrainedModel(
        "", TreeEnsemble.builder(ensemble.featureNames(), ensemble.source()).trees(trees).build());
  }

  /** Feature values of documents the model was not trained on, row-major. */
  public static float[] rows(int documents) {
    return rows(new SplittableRandom(7), documents);
  }

  /**
   * Three kinds of features in turn, as ranking has them: continuous, skewed with many zeros, and
   * small counts.
   */
  private static float[] rows(SplittableRandom random, int documents) {
    float[] rows = new float[documents * FEATURES];
    for (int i = 0; i < rows.length; i++) {
      rows[i] =
          switch (i % FEATURES % 3) {
            case 0 -> (float) random.nextGaussian();
            case 1 -> random.nextInt(3) == 0 ? 0f : (float) Math.exp(random.nextGaussian());
            default -> random.nextInt(40);
          };
    }
    return rows;
  }

  /** Grades 0 to 4, by a function of some features and their products, plus noise. */
  private static float[] labels(SplittableRandom random, float[] rows) {
    float[] labels = new float[rows.length / FEATURES];
    for (int d = 0; d < labels.length; d++) {
      double relevance = random.nextGaussian();
      int row = d * FEATURES;
      for (int f = 0; f + 3 < FEATURES; f += 3) {
        double weight = 1.5 / (1 + f / 12.0);
        relevance += weight * (rows[row + f] * (rows[row + f + 2] > 20 ? 1 : -0.5));
        relevance += weight * Math.min(2, rows[row + f + 1]) * (rows[row + f + 3] > 0 ? 1 : 0.2);
      }
      labels[d] = (float) Math.clamp(Math.floor(relevance / 3 + 1.5), 0, 4);
    }
    return labels;
  }

  private static String train(int trees, int leaves) throws LGBMException {
    SplittableRandom random = new SplittableRandom(42);
    float[] rows = rows(random, ROWS);
    int[] groups = new int[ROWS / QUERY];
    Arrays.fill(groups, QUERY);
    String parameters =
        "objective=lambdarank learning_rate=0.05 min_data_in_leaf=3 min_sum_hessian_in_leaf=0"
            + " deterministic=true seed=1 verbosity=-1 num_threads=1 num_leaves="
            + leaves;
    try (LGBMDataset data =
            LGBMDataset.createFromMat(rows, ROWS, FEATURES, true, parameters, null);
        LGBMBooster booster = train(data, labels(random, rows), groups, parameters, trees)) {
      return booster.saveModelToString(0, 0, LGBMBooster.FeatureImportanceType.SPLIT);
    }
  }

  private static LGBMBooster train(
      LGBMDataset data, float[] labels, int[] groups, String parameters, int trees)
      throws LGBMException {
    data.setField("label", labels);
    data.setField("group", groups);
    LGBMBooster booster = LGBMBooster.create(data, parameters);
    for (int tree = 0; tree < trees; tree++) {
      booster.updateOneIter();
    }
    return booster;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;
import java.util.List;
import java.util.stream.IntStream;
import me.tongfei.progressbar.ProgressBar;

/** Trains LightGBM's lambdarank on logged features. */
public final class LambdaMart {
  private static final int TREES = 100;
  private static final int ROWS_PER_LEAF = 100;
  private static final int LITTLE_DATA = 50_000;

  private LambdaMart() {}

  /**
   * A trained model.
   *
   * @param text the model as LightGBM saves it
   * @param sample some training rows
   * @param expected LightGBM's own raw scores of the sample
   */
  public record Trained(String text, List<float[]> sample, double[] expected) {}

  /**
   * Little data gets small trees and small steps: a model of a hundred queries would otherwise
   * learn them by heart.
   */
  private static String parameters(FeatureRows rows) {
    int leaves = Math.clamp(rows.count() / 4000, 5, 31);
    double learningRate = rows.count() < LITTLE_DATA ? 0.03 : 0.1;
    return "objective=lambdarank num_leaves="
        + leaves
        + " learning_rate="
        + learningRate
        + " min_data_in_leaf="
        + ROWS_PER_LEAF
        + " deterministic=true force_row_wise=true seed=1 verbosity=-1";
  }

  /**
   * Trains on all rows.
   *
   * @param names the features' names in the rows' order
   * @param sampleSize how many rows are scored by LightGBM itself
   * @throws IllegalStateException if LightGBM refuses the data
   */
  public static Trained train(FeatureRows rows, List<String> names, int sampleSize) {
    int features = rows.featureCount();
    float[] values = FeatureRows.flat(rows.values(), features);
    float[] labels = new float[rows.count()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = rows.labels().get(i);
    }
    int[] groups = rows.groups().stream().mapToInt(Integer::intValue).toArray();
    String parameters = parameters(rows);
    try (LGBMDataset data =
        LGBMDataset.createFromMat(values, rows.count(), features, true, parameters, null)) {
      data.setFeatureNames(names.toArray(String[]::new));
      data.setField("label", labels);
      data.setField("group", groups);
      try (LGBMBooster booster = LGBMBooster.create(data, parameters);
          ProgressBar bar = Steps.bar("trees", TREES)) {
        for (int tree = 0; tree < TREES && !booster.updateOneIter(); tree++) {
          bar.step();
        }
        return trained(booster, rows, sampleSize);
      }
    } catch (LGBMException e) {
      throw new IllegalStateException("LightGBM: " + e.getMessage(), e);
    }
  }

  private static Trained trained(LGBMBooster booster, FeatureRows rows, int sampleSize)
      throws LGBMException {
    int step = Math.max(1, rows.count() / sampleSize);
    List<float[]> sample =
        IntStream.range(0, Math.min(sampleSize, rows.count()))
            .mapToObj(i -> rows.values().get(i * step))
            .toList();
    float[] flat = FeatureRows.flat(sample, rows.featureCount());
    double[] expected =
        booster.predictForMat(
            flat, sample.size(), rows.featureCount(), true, PredictionType.C_API_PREDICT_RAW_SCORE);
    String text = booster.saveModelToString(0, 0, LGBMBooster.FeatureImportanceType.GAIN);
    return new Trained(text, sample, expected);
  }
}

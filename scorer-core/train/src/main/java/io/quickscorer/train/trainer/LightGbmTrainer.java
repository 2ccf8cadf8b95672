// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMDataset;
import io.github.metarank.lightgbm4j.LGBMException;
import io.quickscorer.cli.natives.UnpackedLibrary;
import io.quickscorer.train.data.FeatureRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;

/** Trains models with LightGBM's objective lambdarank on logged features. */
public final class LightGbmTrainer implements Trainer {
  private static final int ROWS_PER_LEAF = 100;
  private static final int LITTLE_DATA = 50_000;
  private static final int VALIDATION = 1;

  /** The beginnings of the names of measures for which LightGBM treats a larger value as better. */
  private static final List<String> LARGER_IS_BETTER =
      List.of("auc", "ndcg@", "map@", "average_precision");

  @Override
  public String description() {
    return "LightGBM, lambdarank";
  }

  @Override
  public Positions positions() {
    return Positions.GIVEN;
  }

  @Override
  public String file() {
    return "model.txt";
  }

  /** Checks that LightGBM accepts the feature names: no blanks, no special JSON characters. */
  @Override
  public void check(List<String> names) {
    Trainer.check(
        names,
        c -> c <= ' ' || ",:\"[]{}".indexOf(c) >= 0,
        "LightGBM allows no blanks or , : \" [ ] { } in names; rename the feature, or train with"
            + " --trainer XGBOOST");
  }

  /**
   * Returns parameters with which LightGBM subtracts a feature's cost from a split's gain. Each
   * feature costs only once per model, because a search computes its value only once.
   */
  @Override
  public Map<String, String> costs(double tradeoff, List<Double> costs) {
    return Map.of(
        "cegb_tradeoff",
        Double.toString(tradeoff),
        "cegb_penalty_feature_coupled",
        costs.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /**
   * Returns the parameters of a training as LightGBM's text. With little data, trees and learning
   * rate are small, to avoid overfitting.
   */
  private static String parameters(FeatureRows rows, List<String> names, TrainingOptions options) {
    long documents = rows.values().stream().distinct().count();
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("objective", "lambdarank");
    parameters.put("metric", "ndcg");
    parameters.put("eval_at", "10");
    parameters.put("num_leaves", Integer.toString(Math.clamp(documents / 4000, 5, 31)));
    parameters.put("learning_rate", rows.count() < LITTLE_DATA ? "0.03" : "0.1");
    parameters.put("min_data_in_leaf", Integer.toString(ROWS_PER_LEAF));
    parameters.put("deterministic", "true");
    parameters.put("force_row_wise", "true");
    parameters.put("seed", "1");
    parameters.put("verbosity", "-1");
    if (!options.categorical().isEmpty()) {
      parameters.put(
          "categorical_feature",
          options.columns(names).stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    parameters.putAll(LightGbmParameters.canonical(options.parameters()));
    return parameters.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  /** Trains a model of 100 trees on all rows, without validation rows. */
  public static TrainedModel train(FeatureRows rows, List<String> names, int sampleSize) {
    return new LightGbmTrainer().train(rows, null, names, TrainingOptions.PLAIN, sampleSize);
  }

  @Override
  public TrainedModel train(
      FeatureRows rows,
      @Nullable FeatureRows validation,
      List<String> names,
      TrainingOptions options,
      int sampleSize) {
    check(names);
    load();
    String parameters = parameters(rows, names, options);
    try (LGBMDataset data = dataset(rows, names, parameters, null);
        LGBMDataset held =
            validation == null ? null : dataset(validation, names, parameters, data);
        LGBMBooster booster = LGBMBooster.create(data, parameters)) {
      if (held != null) {
        booster.addValidData(held);
      }
      LearningCurve curve = grow(booster, held != null, options);
      int best = held == null ? 0 : curve.bestTrees();
      String text =
          best < curve.values().size() && isDart(parameters)
              ? grownTo(best, data, parameters)
              : text(booster, best);
      return trained(text, rows, sampleSize, curve);
    } catch (LGBMException e) {
      throw new IllegalStateException("LightGBM: " + e.getMessage(), e);
    }
  }

  /**
   * Returns whether the parameters select DART, a method in which a new tree changes the weights of
   * earlier trees.
   */
  private static boolean isDart(String parameters) {
    return List.of(parameters.split(" ")).contains("boosting=dart");
  }

  /** Trains again with a given number of trees, and returns the text of the model's file. */
  private static String grownTo(int trees, LGBMDataset data, String parameters)
      throws LGBMException {
    try (LGBMBooster booster = LGBMBooster.create(data, parameters)) {
      for (int tree = 0; tree < trees; tree++) {
        booster.updateOneIter();
      }
      return text(booster, 0);
    }
  }

  /**
   * Returns the text of the model's file.
   *
   * @param trees number of trees in the file, from the first; 0 for all
   */
  private static String text(LGBMBooster booster, int trees) throws LGBMException {
    return booster.saveModelToString(0, trees, LGBMBooster.FeatureImportanceType.GAIN);
  }

  private static void load() {
    try {
      UnpackedLibrary.load(LGBMBooster::loadNative);
    } catch (IOException | LinkageError e) {
      throw new IllegalStateException("LightGBM: " + e.getMessage(), e);
    }
  }

  private static LGBMDataset dataset(
      FeatureRows rows, List<String> names, String parameters, @Nullable LGBMDataset reference)
      throws LGBMException {
    int features = rows.featureCount();
    float[] labels = new float[rows.count()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = rows.labels().get(i);
    }
    LGBMDataset data =
        LGBMDataset.createFromMat(
            FeatureRows.flat(rows.values(), features),
            rows.count(),
            features,
            true,
            parameters,
            reference);
    data.setFeatureNames(names.toArray(String[]::new));
    data.setField("label", labels);
    data.setField("group", rows.groups().stream().mapToInt(Integer::intValue).toArray());
    if (!rows.positions().isEmpty()) {
      data.setField("position", rows.positions().stream().mapToInt(Integer::intValue).toArray());
    }
    return data;
  }

  private static LearningCurve grow(LGBMBooster booster, boolean validated, TrainingOptions options)
      throws LGBMException {
    String measure = validated ? measure(booster) : "";
    boolean largerIsBetter = LARGER_IS_BETTER.stream().anyMatch(measure::startsWith);
    List<Double> curve = new ArrayList<>();
    try (ProgressBar bar = Progress.bar("trees", options.trees())) {
      for (int tree = 0; tree < options.trees() && !booster.updateOneIter(); tree++) {
        bar.step();
        if (validated) {
          curve.add(booster.getEval(VALIDATION)[0]);
          int best = LearningCurve.best(curve, largerIsBetter);
          if (curve.size() - 1 - best >= options.patience()) {
            break;
          }
        }
      }
    }
    return validated ? new LearningCurve(measure, largerIsBetter, curve) : LearningCurve.NONE;
  }

  /**
   * Returns the name of LightGBM's first measure. Early stopping ends a training when this measure
   * no longer improves.
   */
  private static String measure(LGBMBooster booster) throws LGBMException {
    return Stream.of(booster.getEvalNames())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "-P metric: no evaluation measure is set, but early stopping needs one; use for"
                        + " example metric=ndcg"));
  }

  /** Returns the trained model with sample rows, and the saved model's scores of these rows. */
  private static TrainedModel trained(
      String text, FeatureRows rows, int sampleSize, LearningCurve curve) throws LGBMException {
    List<float[]> sample = rows.sample(sampleSize);
    float[] flat = FeatureRows.flat(sample, rows.featureCount());
    try (LGBMBooster saved = LGBMBooster.loadModelFromString(text)) {
      double[] expected =
          saved.predictForMat(
              flat,
              sample.size(),
              rows.featureCount(),
              true,
              PredictionType.C_API_PREDICT_RAW_SCORE);
      return new TrainedModel(text, sample, expected, curve);
    }
  }
}

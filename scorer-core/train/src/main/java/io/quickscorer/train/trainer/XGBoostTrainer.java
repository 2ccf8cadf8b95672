// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import static java.lang.invoke.MethodType.methodType;

import io.quickscorer.cli.natives.LibraryFolder;
import io.quickscorer.train.data.FeatureRows;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;

/**
 * Trains models with XGBoost's objective {@code rank:ndcg} on logged features. The library is
 * loaded from the folder in the system property {@code quickscorer.trainers} and called by
 * reflection. It cannot be a compile-time dependency, because some of its classes need other
 * classes that are absent.
 */
public final class XGBoostTrainer implements Trainer {
  private static final String ROOT = "ml.dmlc.xgboost4j.java.";
  private static final String VALIDATION = "validation";

  /** The beginnings of the names of measures for which XGBoost treats a larger value as better. */
  private static final List<String> LARGER_IS_BETTER = List.of("auc", "map", "ndcg", "pre");

  /**
   * Aliases of XGBoost parameters, each with the name that this class uses. If both names were set,
   * XGBoost would use only the last one in alphabetical order.
   */
  private static final Map<String, String> ALIASES =
      Map.of("eta", "learning_rate", "random_state", "seed");

  @Override
  public String description() {
    return "XGBoost, rank:ndcg";
  }

  @Override
  public Positions positions() {
    return Positions.COUNTED;
  }

  /** Checks that the feature names are ASCII. The library for Java shortens other names. */
  @Override
  public void check(List<String> names) {
    Trainer.check(
        names,
        c -> c >= 0x80,
        "XGBoost's library for Java accepts only ASCII characters in names; rename the feature, or"
            + " train with --trainer LIGHTGBM");
  }

  @Override
  public String file() {
    return "model.json";
  }

  @Override
  public TrainedModel train(
      FeatureRows rows,
      @Nullable FeatureRows validation,
      List<String> names,
      TrainingOptions options,
      int sampleSize) {
    Path folder = Path.of(System.getProperty("quickscorer.trainers", ""));
    try (URLClassLoader loader = LibraryFolder.loader(folder)) {
      return new Library(loader).train(rows, validation, names, options, sampleSize);
    } catch (IOException e) {
      throw new IllegalStateException("XGBoost: " + e.getMessage(), e);
    }
  }

  /** Calls the methods of XGBoost's library by reflection. */
  private static final class Library {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();

    private final Class<?> matrix;
    private final MethodHandle newMatrix;
    private final MethodHandle setLabel;
    private final MethodHandle setGroup;
    private final MethodHandle setNames;
    private final MethodHandle setTypes;
    private final MethodHandle train;
    private final MethodHandle update;
    private final MethodHandle evaluate;
    private final MethodHandle predict;
    private final MethodHandle save;

    Library(ClassLoader loader) {
      try {
        matrix = loader.loadClass(ROOT + "DMatrix");
        Class<?> booster = loader.loadClass(ROOT + "Booster");
        newMatrix =
            LOOKUP.findConstructor(
                matrix, methodType(void.class, float[].class, int.class, int.class, float.class));
        setLabel = method(matrix, "setLabel", void.class, float[].class);
        setGroup = method(matrix, "setGroup", void.class, int[].class);
        setNames = method(matrix, "setFeatureNames", void.class, String[].class);
        setTypes = method(matrix, "setFeatureTypes", void.class, String[].class);
        MethodType training =
            methodType(
                booster,
                matrix,
                Map.class,
                int.class,
                Map.class,
                float[][].class,
                loader.loadClass(ROOT + "IObjective"),
                loader.loadClass(ROOT + "IEvaluation"),
                int.class);
        train = LOOKUP.findStatic(loader.loadClass(ROOT + "XGBoost"), "train", training);
        update = method(booster, "update", void.class, matrix, int.class);
        evaluate =
            method(
                booster,
                "evalSet",
                String.class,
                matrix.arrayType(),
                String[].class,
                int.class,
                float[].class);
        predict = method(booster, "predict", float[][].class, matrix, boolean.class);
        save = method(booster, "toByteArray", byte[].class, String.class);
      } catch (ReflectiveOperationException | LinkageError e) {
        throw new IllegalStateException("XGBoost: the library is missing: " + e.getMessage(), e);
      }
    }

    private static MethodHandle method(
        Class<?> type, String name, Class<?> result, Class<?>... parameters)
        throws ReflectiveOperationException {
      return LOOKUP.findVirtual(type, name, methodType(result, parameters));
    }

    /**
     * Trains a model. With validation, finds the best number of trees, and then trains again with
     * that number, because XGBoost would keep the trees after the best one.
     */
    TrainedModel train(
        FeatureRows rows,
        @Nullable FeatureRows validation,
        List<String> names,
        TrainingOptions options,
        int sampleSize) {
      Object data = matrix(rows, names, options);
      Map<String, Object> parameters = parameters(options.parameters());
      if (!rows.positions().isEmpty()) {
        parameters.putIfAbsent("lambdarank_unbiased", "true");
        // Both normalizations are turned off, because measurements show that they make the
        // correction weaker.
        parameters.putIfAbsent("lambdarank_score_normalization", "false");
        parameters.putIfAbsent("lambdarank_bias_norm", "0");
      }
      warnOfUnknown(data, parameters, options.parameters());
      LearningCurve curve = LearningCurve.NONE;
      int trees = options.trees();
      if (validation != null) {
        Object held = matrix(validation, names, options);
        curve = measure(data, held, parameters, trees, options.patience());
        trees = curve.bestTrees();
      }
      Object model = start(data, parameters, Map.of());
      try (ProgressBar bar = Progress.bar("trees", trees)) {
        for (int tree = 0; tree < trees; tree++) {
          call(update, model, data, tree);
          bar.step();
        }
      }
      List<float[]> sample = rows.sample(sampleSize);
      float[] flat = FeatureRows.flat(sample, names.size());
      Object shown = call(newMatrix, flat, sample.size(), names.size(), Float.NaN);
      describe(shown, names, options);
      float[][] scores = (float[][]) call(predict, model, shown, true);
      double[] expected = new double[scores.length];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = scores[i][0];
      }
      String text = new String((byte[]) call(save, model, "json"), StandardCharsets.UTF_8);
      return new TrainedModel(text, sample, expected, curve);
    }

    /** Makes XGBoost warn about unknown parameters, which it does only in its verbose mode. */
    private void warnOfUnknown(
        Object data, Map<String, Object> parameters, Map<String, String> given) {
      if (!given.isEmpty()) {
        Map<String, Object> verbose = new LinkedHashMap<>(parameters);
        verbose.put("validate_parameters", "true");
        verbose.put("verbosity", "1");
        call(train, data, verbose, 1, Map.of(), null, null, null, 0);
      }
    }

    /** Returns a model without trees. Callers add one tree at a time, to show progress. */
    private Object start(Object data, Map<String, Object> parameters, Map<String, Object> watched) {
      return call(train, data, parameters, 0, watched, null, null, null, 0);
    }

    /** Trains a model, and returns the quality measure on the validation rows after each tree. */
    private LearningCurve measure(
        Object data, Object watched, Map<String, Object> parameters, int trees, int patience) {
      String measure = String.valueOf(parameters.get("eval_metric"));
      boolean largerIsBetter =
          !measure.equals("mape") && LARGER_IS_BETTER.stream().anyMatch(measure::startsWith);
      Object model = start(data, parameters, Map.of(VALIDATION, watched));
      Object sets = Array.newInstance(matrix, 1);
      Array.set(sets, 0, watched);
      List<Double> curve = new ArrayList<>();
      float[] measured = new float[1];
      try (ProgressBar bar = Progress.bar("trees", trees)) {
        for (int tree = 0; tree < trees; tree++) {
          call(update, model, data, tree);
          call(evaluate, model, sets, new String[] {VALIDATION}, tree, measured);
          bar.step();
          curve.add((double) measured[0]);
          if (tree - LearningCurve.best(curve, largerIsBetter) >= patience) {
            break;
          }
        }
      }
      return new LearningCurve(measure, largerIsBetter, curve);
    }

    private static Map<String, Object> parameters(Map<String, String> given) {
      if (given.containsKey("label_gain")) {
        throw new IllegalStateException(
            "-P label_gain: XGBoost has no such parameter; to use the grades as gains, set"
                + " ndcg_exp_gain=false");
      }
      Map<String, Object> parameters = new LinkedHashMap<>();
      parameters.put("objective", "rank:ndcg");
      parameters.put("eval_metric", "ndcg@10");
      parameters.put("tree_method", "hist");
      parameters.put("max_depth", "5");
      parameters.put("learning_rate", "0.1");
      parameters.put("seed", "1");
      parameters.put("verbosity", "0");
      given.forEach((name, value) -> parameters.put(ALIASES.getOrDefault(name, name), value));
      return parameters;
    }

    private Object matrix(FeatureRows rows, List<String> names, TrainingOptions options) {
      float[] flat = FeatureRows.flat(rows.values(), names.size());
      Object made = call(newMatrix, flat, rows.count(), names.size(), Float.NaN);
      float[] labels = new float[rows.count()];
      for (int i = 0; i < labels.length; i++) {
        labels[i] = rows.labels().get(i);
      }
      call(setLabel, made, labels);
      call(setGroup, made, rows.groups().stream().mapToInt(Integer::intValue).toArray());
      describe(made, names, options);
      return made;
    }

    /** Sets the names of the features in XGBoost's data, and marks those that are categorical. */
    private void describe(Object data, List<String> names, TrainingOptions options) {
      call(setNames, data, names.toArray(String[]::new));
      call(
          setTypes,
          data,
          names.stream()
              .map(name -> options.categorical().contains(name) ? "c" : "q")
              .toArray(String[]::new));
    }

    private static Object call(MethodHandle handle, @Nullable Object... arguments) {
      try {
        return handle.invokeWithArguments(arguments);
      } catch (Exception e) {
        throw new IllegalStateException("XGBoost: " + e.getMessage(), e);
      } catch (Throwable e) {
        throw new IllegalStateException("XGBoost: the library does not work in this JVM: " + e, e);
      }
    }
  }
}

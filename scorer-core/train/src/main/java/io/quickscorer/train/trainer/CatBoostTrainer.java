// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import io.quickscorer.train.data.FeatureRows;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Trains models with CatBoost's objective YetiRank. Runs CatBoost's command-line program, because
 * CatBoost has no Java library for training.
 */
public final class CatBoostTrainer implements Trainer {
  /** Maximum error of a score that CatBoost prints with ten digits, in ulps of a double. */
  private static final long TEN_DIGITS_ULP = 4_503_600;

  private static final int SHOWN_LINES = 10;
  private static final int SIGNALS = 128;
  private static final Pattern TREE = Pattern.compile("(\\d{1,9}):\\s.*");
  private static final String SCORE = "RawFormulaVal";

  /** CatBoost parameters that the user cannot set, each with the advice for the error message. */
  private static final Map<String, String> TAKEN =
      Map.ofEntries(
          Map.entry("iterations", "use --trees"),
          Map.entry("od-wait", "use --patience"),
          Map.entry("label-gain", "CatBoost has no such parameter"),
          Map.entry("learn-set", "train writes this file from the features"),
          Map.entry("test-set", "train writes this file from the features"),
          Map.entry("column-description", "train writes this file from the features"),
          Map.entry("cd", "train writes this file from the features"),
          Map.entry("delimiter", "train writes the data files itself"),
          Map.entry("has-header", "train writes the data files itself"),
          Map.entry("train-dir", "train uses a temporary folder"),
          Map.entry("model-file", "use --output"),
          Map.entry("model-format", "train always writes a .cbm file"));

  private static final JsonMapper JSON = new JsonMapper();

  private final String program;

  /**
   * Creates a trainer that runs CatBoost's program.
   *
   * @param program the path of the program, or its name if it is in a folder of {@code PATH}
   */
  public CatBoostTrainer(String program) {
    this.program = program;
  }

  @Override
  public String description() {
    return "CatBoost, YetiRank";
  }

  @Override
  public String file() {
    return "model.cbm";
  }

  /** Checks that the program can be started, and that names have no control characters. */
  @Override
  public void check(List<String> names) {
    start(List.of(program, "--version")).destroy();
    Trainer.check(
        names,
        Character::isISOControl,
        "CatBoost allows no control characters in names; rename the feature");
  }

  @Override
  public TrainedModel train(
      FeatureRows rows,
      @Nullable FeatureRows validation,
      List<String> names,
      TrainingOptions options,
      int sampleSize) {
    check(names);
    Map<String, String> parameters = parameters(options, validation != null);
    try {
      Path folder = Files.createTempDirectory("quickscorer-catboost");
      try {
        return train(folder, parameters, rows, validation, names, options, sampleSize);
      } finally {
        delete(folder);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new IllegalStateException("CatBoost: " + e.getMessage(), e);
    }
  }

  private TrainedModel train(
      Path folder,
      Map<String, String> parameters,
      FeatureRows rows,
      @Nullable FeatureRows validation,
      List<String> names,
      TrainingOptions options,
      int sampleSize)
      throws IOException {
    Path columns = folder.resolve("columns.cd");
    Path model = folder.resolve("model.cbm");
    Files.writeString(columns, columns(names, options));
    Map<String, String> fit = new LinkedHashMap<>();
    fit.put("learn-set", pool(folder.resolve("learn.tsv"), rows, names, options));
    if (validation != null) {
      fit.put("test-set", pool(folder.resolve("test.tsv"), validation, names, options));
    }
    fit.put("column-description", columns.toString());
    fit.put("train-dir", folder.resolve("info").toString());
    fit.put("model-file", model.toString());
    fit.putAll(parameters);
    try (ProgressBar bar = Progress.bar("trees", options.trees())) {
      run(
          folder,
          "fit",
          fit,
          line -> {
            Matcher tree = TREE.matcher(line.strip());
            if (tree.matches()) {
              bar.stepTo(1 + Long.parseLong(tree.group(1)));
            }
          });
    }
    LearningCurve curve =
        validation == null
            ? LearningCurve.NONE
            : curve(folder.resolve("info/catboost_training.json"));
    List<float[]> sample = rows.sample(sampleSize);
    FeatureRows scored =
        new FeatureRows(sample, Collections.nCopies(sample.size(), 0), List.of(sample.size()));
    Path scores = folder.resolve("scores.tsv");
    Map<String, String> calc = new LinkedHashMap<>();
    calc.put("model-path", written(model).toString());
    calc.put("input-path", pool(folder.resolve("sample.tsv"), scored, names, options));
    calc.put("column-description", columns.toString());
    calc.put("output-path", scores.toString());
    calc.put("prediction-type", SCORE);
    run(folder, "calc", calc, line -> {});
    return new TrainedModel(
        Files.readAllBytes(model), sample, scores(scores, sample.size()), TEN_DIGITS_ULP, curve);
  }

  /** Returns the parameters of a training, by the long option names of CatBoost's program. */
  private static Map<String, String> parameters(TrainingOptions options, boolean validated) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("loss-function", "YetiRank");
    parameters.put("iterations", Integer.toString(options.trees()));
    parameters.put("random-seed", "1");
    if (validated) {
      parameters.put("eval-metric", "NDCG:top=10;type=Exp");
      parameters.put("use-best-model", "");
      parameters.put("od-type", "Iter");
      parameters.put("od-wait", Integer.toString(options.patience()));
    }
    options
        .parameters()
        .forEach(
            (given, value) -> {
              String name = given.replace('_', '-');
              String taken = TAKEN.get(name);
              if (taken != null) {
                throw new IllegalStateException("-P " + given + ": has no effect here, " + taken);
              }
              parameters.put(name, value);
            });
    return parameters;
  }

  private static String columns(List<String> names, TrainingOptions options) {
    StringBuilder columns = new StringBuilder("0\tLabel\n1\tGroupId\n");
    for (int f = 0; f < names.size(); f++) {
      boolean categorical = options.categorical().contains(names.get(f));
      columns.append(f + 2).append(categorical ? "\tCateg\t" : "\tNum\t");
      columns.append(names.get(f)).append('\n');
    }
    return columns.toString();
  }

  /** Writes the training rows (label, query number, values) to a file, and returns its path. */
  private static String pool(
      Path file, FeatureRows rows, List<String> names, TrainingOptions options) throws IOException {
    List<Integer> categorical = options.columns(names);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      int row = 0;
      for (int group = 0; group < rows.groups().size(); group++) {
        for (int end = row + rows.groups().get(group); row < end; row++) {
          float[] values = rows.values().get(row);
          for (int column : categorical) {
            if (Float.isNaN(values[column])) {
              throw new IllegalStateException(
                  "a row has no value for the categorical feature ["
                      + names.get(column)
                      + "]: CatBoost would treat it as one more category; add [missing] to the"
                      + " feature, or train all features as numbers, with an empty list:"
                      + " -P categorical_feature=");
            }
          }
          out.write(rows.labels().get(row) + "\t" + group);
          for (float value : values) {
            out.write('\t');
            out.write(text(value));
          }
          out.write('\n');
        }
      }
    }
    return file.toString();
  }

  /** Returns a value as text. Whole numbers have no decimal point, because they can be codes. */
  private static String text(float value) {
    if (Float.isNaN(value)) {
      return "";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** Runs CatBoost's program. If this JVM ends, stops the program and deletes the folder. */
  private void run(Path folder, String mode, Map<String, String> options, Consumer<String> listener)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(program, mode));
    options.forEach(
        (name, value) -> command.add("--" + name + (value.isEmpty() ? "" : "=") + value));
    Process process = start(command);
    Thread end =
        new Thread(
            () -> {
              process.destroyForcibly().onExit().join();
              delete(folder);
            });
    Runtime.getRuntime().addShutdownHook(end);
    Deque<String> last = new ArrayDeque<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        listener.accept(line);
        last.add(line);
        if (last.size() > SHOWN_LINES) {
          last.remove();
        }
      }
      int status = process.waitFor();
      if (status != 0) {
        throw new IllegalStateException(
            program
                + " "
                + mode
                + (status > SIGNALS
                    ? " was ended by signal " + (status - SIGNALS)
                    : " failed with exit code " + status)
                + (last.isEmpty() ? "" : ":\n" + String.join("\n", last)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(program + " " + mode + " was cancelled", e);
    } finally {
      process.destroy();
      forget(end);
    }
  }

  private static void forget(Thread end) {
    try {
      Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException e) {
      // This JVM is ending, so the hook runs anyway.
    }
  }

  private Process start(List<String> command) {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IllegalStateException(
          "--catboost "
              + program
              + ": the program cannot be started: "
              + e.getMessage()
              + "; download CatBoost's command-line program from its releases on GitHub, such as"
              + " catboost-linux-x86_64, make it executable, and set its path with --catboost",
          e);
    }
  }

  private Path written(Path file) {
    if (!Files.exists(file)) {
      throw new IllegalStateException(
          "--catboost "
              + program
              + ": the program ended without an error, but did not write "
              + file.getFileName());
    }
    return file;
  }

  /**
   * Returns the validation measure after each tree. By this measure, CatBoost selects the number of
   * trees.
   */
  private LearningCurve curve(Path log) throws IOException {
    try {
      JsonNode training = JSON.readTree(Files.readString(written(log)));
      JsonNode measure = training.at("/meta/test_metrics/0");
      List<Double> values =
          training
              .path("iterations")
              .valueStream()
              .map(tree -> tree.at("/test/0"))
              .filter(JsonNode::isNumber)
              .map(JsonNode::doubleValue)
              .toList();
      return new LearningCurve(
          measure.path("name").asString(""),
          measure.path("best_value").asString("").equals("Max"),
          values);
    } catch (JacksonException e) {
      throw unreadable(log, e.getOriginalMessage());
    }
  }

  private double[] scores(Path file, int count) throws IOException {
    List<String> lines = Files.readAllLines(written(file));
    int column = lines.isEmpty() ? -1 : List.of(lines.getFirst().split("\t")).indexOf(SCORE);
    if (column < 0 || lines.size() != count + 1) {
      throw unreadable(
          file, "expected a header with " + SCORE + " and " + count + " rows of scores");
    }
    double[] scores = new double[count];
    for (int i = 0; i < count; i++) {
      try {
        scores[i] = Double.parseDouble(lines.get(i + 1).split("\t")[column]);
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw unreadable(file, "no score in line [" + lines.get(i + 1) + "]");
      }
    }
    return scores;
  }

  private IllegalStateException unreadable(Path file, String reason) {
    return new IllegalStateException(
        "--catboost "
            + program
            + ": cannot read the program's file "
            + file.getFileName()
            + ": "
            + reason);
  }

  /** Deletes a folder, and ignores failures. */
  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | UncheckedIOException e) {
      // Ignored, because the operating system deletes temporary folders.
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.CategoryFields;
import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code quickscorer verify}: compares scores with a trainer's, for one model or all models in a
 * folder.
 */
@Command(
    name = "verify",
    description = {
      "Compares the score of each document of DATA with the same line of EXPECTED. Prints the"
          + " largest difference in units in the last place, the first row that differs, and the"
          + " tree that differs, if known.",
      "",
      "A line of EXPECTED has one number, the score; or one number for each tree, separated by"
          + " blanks, tabs or commas. These are the scores with 1, 2, ... trees; or, if all are"
          + " integers, the exit leaves that pred_leaf returns. With numbers for each tree, the"
          + " command names the first tree that differs. Libraries number leaves differently, so"
          + " leaves are compared by the documents that share one.",
      "",
      "Scores are compared as floats if the trainer's scores are floats, otherwise as doubles."
          + " Values of DATA are rounded to float; if a value is not a float, a trainer that"
          + " compares doubles, such as LightGBM, may reach another leaf. Trees are numbered from 0"
          + " within the compared output.",
      "",
      "If MODEL is a folder, every file below it is read. For each model, the result says whether"
          + " it is refused, and why, or whether its scores are the trainer's. The name of the file"
          + " with the trainer's scores is the model's name and further words: model.json.gz and"
          + " model.expected.tsv, model_predictions.txt, model.json.margin.tsv. The words \"raw\""
          + " and \"margin\" mark sums over the trees, \"transformed\" and \"predict\" the results"
          + " of predict. The rows are SVMlight lines or a table without a header, in a file that"
          + " is named like the model, such as model.data.tsv, or in any file that leads to these"
          + " scores.",
      "",
      "The exit status is 1 if the scores of a model differ, and 4 if they could not be compared."
    },
    mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
  private static final List<String> OF_FOLDERS = List.of("--data", "--json");

  @Mixin private ScoreOptions options = new ScoreOptions();

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "EXPECTED",
      description = "The trainer's scores, one line per document; may be gzipped.")
  private Path expected = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "Another folder with rows for the models of a folder; may be repeated.")
  private List<Path> data = new ArrayList<>();

  @Option(names = "--json", description = "Prints the result for a folder as one JSON object.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  private long rows;

  /** The number of expected scores or leaves in each line of the file. */
  private int width;

  private @Nullable ScoreComparison comparison;

  /** A sentence about a possible reason for different scores; empty if there is none. */
  private String note = "";

  @Override
  public Integer call() throws Failure {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    PrintWriter out = line.getOut();
    int arguments = line.getParseResult().matchedPositionals().size();
    if (arguments == 1 && Files.isDirectory(options.model())) {
      for (OptionSpec given : line.getParseResult().matchedOptions()) {
        if (!OF_FOLDERS.contains(given.longestName())) {
          throw Failure.usage(
              given.longestName()
                  + ": this option is not supported for a folder; supported are "
                  + String.join(", ", OF_FOLDERS));
        }
      }
      return new FolderVerification(options.model(), data, json).run(out, line.getErr());
    }
    if (arguments < 3 || json || !data.isEmpty()) {
      throw Failure.usage(
          options.model()
              + (Files.isDirectory(options.model())
                  ? " is a folder, so no DATA and EXPECTED are allowed"
                  : " is not a folder")
              + "; expected verify FOLDER [--data=FOLDER] [--json], or verify MODEL DATA EXPECTED");
    }
    try (BufferedReader reader = DataFile.reader(expected)) {
      options.score(
          (ensemble, matrix, document, score) ->
              compare(ensemble, matrix, document, score, next(reader)));
      String rest;
      while ((rest = reader.readLine()) != null) {
        if (!rest.isBlank()) {
          throw Failure.data(rows + 1, "more scores than documents").in(expected);
        }
      }
    } catch (IOException e) {
      throw Failure.io(expected, e);
    }
    if (comparison == null) {
      throw Failure.data(1, "no scores to compare").in(expected);
    }
    long differing = comparison.differing();
    long worst = comparison.worst();
    out.printf(Locale.ROOT, "%d rows, %d differing, max %d ulp%n", rows, differing, worst);
    comparison.first().forEach(out::println);
    if (differing > 0 && !note.isEmpty()) {
      out.println(note);
    }
    out.flush();
    return differing == 0 ? 0 : 1;
  }

  private String[] next(BufferedReader reader) throws Failure {
    rows++;
    try {
      String line = reader.readLine();
      if (line == null) {
        throw Failure.data(rows, "fewer scores than documents").in(expected);
      }
      return line.strip().split("[\\s,]+", -1);
    } catch (IOException e) {
      throw Failure.io(expected, e);
    }
  }

  private void compare(
      TreeEnsemble ensemble, FeatureMatrix matrix, int document, double score, String[] numbers)
      throws Failure {
    int trees = ensemble.trees().size();
    if (numbers.length != 1 && numbers.length != trees) {
      throw Failure.data(
              rows, numbers.length + " numbers, expected 1 or one for each of " + trees + " trees")
          .in(expected);
    }
    if (numbers.length > 1 && !options.raw()) {
      throw Failure.usage(
          "--output transformed: EXPECTED has a number for each tree; these are compared with raw"
              + " scores only");
    }
    if (comparison == null) {
      width = numbers.length;
      note = CategoryFields.note(ensemble);
      comparison = ScoreComparison.of(ensemble, numbers, options.raw());
    }
    if (numbers.length != width) {
      throw Failure.data(rows, numbers.length + " numbers, expected " + width).in(expected);
    }
    try {
      comparison.add(matrix, document, score, numbers);
    } catch (NumberFormatException e) {
      throw Failure.data(rows, "expected a number").in(expected);
    }
  }
}

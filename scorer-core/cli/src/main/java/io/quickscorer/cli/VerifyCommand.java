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
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quickscorer verify}: compares scores with those that a trainer gave. */
@Command(
    name = "verify",
    description = {
      "Compares the score of each document of DATA with the line of EXPECTED of the same number,"
          + " and prints the largest difference in units in the last place, the first row that"
          + " differs, and what is known of the tree where it does.",
      "",
      "A line of EXPECTED holds the score alone; or a number for each tree, parted by blanks, tabs"
          + " or commas: the score of the trees up to it, as predictions with 1, 2, ... trees give"
          + " it; or the tree's exit leaf, as pred_leaf gives it, all integers. With those the"
          + " first tree that differs is named. Libraries number leaves in their own ways, so"
          + " leaves are compared by which documents share one.",
      "",
      "Scores are compared as floats if the trainer's are floats, else as doubles."
    },
    mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
  @Mixin private ScoreOptions options = new ScoreOptions();

  @Parameters(
      index = "2",
      paramLabel = "EXPECTED",
      description = "The trainer's scores, one line per document; may be gzipped.")
  private Path expected = Path.of("");

  @Spec private @Nullable CommandSpec spec;

  private long rows;

  /** The numbers of the first line, and so of each. */
  private int width;

  private @Nullable ScoreComparison comparison;

  /** What else may make scores differ. */
  private String note = "";

  @Override
  public Integer call() throws Failure {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try (BufferedReader reader = DataFile.reader(expected)) {
      options.score(
          (ensemble, matrix, document, score) ->
              compare(ensemble, matrix, document, score, next(reader)));
      String line;
      while ((line = reader.readLine()) != null) {
        if (!line.isBlank()) {
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
      throw Failure.usage("--output: numbers for each tree are compared with raw scores only");
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

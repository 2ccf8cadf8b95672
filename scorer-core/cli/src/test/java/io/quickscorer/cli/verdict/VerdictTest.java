// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.Run;
import io.quickscorer.cli.VerifyCommand;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Verdicts on a folder of models, and what {@code verify} says of the tree that differs. */
final class VerdictTest {
  @TempDir private Path folder;

  private static Fixture fixture(String trainer, String name) {
    return Fixture.all().stream()
        .filter(f -> f.trainer().equals(trainer) && f.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private String write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content).toString();
  }

  private String write(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content).toString();
  }

  private static String table(Fixture.Cases cases) {
    StringBuilder table = new StringBuilder();
    for (int i = 0; i < cases.values().length; i++) {
      table.append(cases.values()[i]).append((i + 1) % cases.features() == 0 ? '\n' : '\t');
    }
    return table.toString();
  }

  private static String headed(Fixture.Cases cases) {
    StringBuilder header = new StringBuilder("f0\tf1\tf2\tf3\tf4\tf5\n");
    return header.append(table(cases)).toString();
  }

  private static String lines(double[] scores) {
    StringBuilder lines = new StringBuilder();
    Arrays.stream(scores).forEach(score -> lines.append(score).append('\n'));
    return lines.toString();
  }

  private record Run(int status, String out) {}

  private static Run run(Object command, String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine program = new CommandLine(command).setOut(new PrintWriter(out));
    program.setCaseInsensitiveEnumValuesAllowed(true);
    program.setErr(new PrintWriter(new StringWriter()));
    int status = program.execute(arguments);
    return new Run(status, out.toString());
  }

  private Run verdict(String... more) {
    String[] arguments = Arrays.copyOf(more, more.length + 1);
    arguments[more.length] = folder.toString();
    return run(new VerifyCommand(), arguments);
  }

  @Test
  void everyKindOfVerdict() throws IOException {
    Fixture lightGbm = fixture("lightgbm-4.3.0", "binary_rf");
    write("lgb/exact.txt", lightGbm.model("txt"));
    write("lgb/exact.expected_raw.tsv", lines(lightGbm.cases().raw()));
    write("lgb/exact.expected_transformed.tsv", lines(lightGbm.cases().transformed()));
    write("lgb/rows.tsv", table(lightGbm.cases()));
    Fixture xgBoost = fixture("xgboost-3.4.0", "logistic_nan");
    write("xgb/model/m.json", xgBoost.model("json"));
    write("xgb/scores/m.margin", lines(xgBoost.cases().raw()));
    write("xgb/data/d.tsv", table(xgBoost.cases()));
    write("none.json", xgBoost.model("json"));
    write("alone.json", xgBoost.model("json"));
    // Packed by its name alone, and no text.
    write("none.margin.gz", new byte[] {1, 2, 3});
    write("none.expected_raw.tsv", new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    write("cut.txt", Arrays.copyOf(lightGbm.model("txt"), 500));
    write("notes.md", "Nothing to score.");
    Run run = verdict();
    assertEquals(4, run.status, run.out);
    assertTrue(run.out.matches("(?s).*lgb.exact.txt +lightgbm_text +exact, .*"), run.out);
    assertTrue(run.out.matches("(?s).*xgb.model.m.json +xgboost_json +exact, .* 0 ulp, 0.0.*"));
    assertTrue(run.out.matches("(?s).*none.json +xgboost_json +not compared: none.expected_raw.*"));
    assertTrue(run.out.matches("(?s).*alone.json +xgboost_json +no expected scores.*"), run.out);
    assertTrue(run.out.matches("(?s).*cut.txt +refused: byte .*"), run.out);
    assertTrue(run.out.contains("notes.md"), run.out);
    double[] wrong = lightGbm.cases().raw().clone();
    wrong[3] += 1e-9;
    write("lgb/exact.expected_raw.tsv", lines(wrong));
    run = verdict("--json");
    assertEquals(1, run.status, run.out);
    assertTrue(run.out.contains("\"verdict\":\"differs\""), run.out);
    assertTrue(run.out.contains("\"reason\":\"first difference in row 4 of rows.tsv\""), run.out);
    assertTrue(run.out.contains("\"rows_differing\":1"), run.out);
  }

  @Test
  void aFileLargerThanTheHeapIsPassedOver() throws IOException {
    Fixture xgBoost = fixture("xgboost-3.4.0", "logistic_nan");
    write("m.json", xgBoost.model("json"));
    write("m.margin", lines(xgBoost.cases().raw()));
    write("rows.tsv", table(xgBoost.cases()));
    try (RandomAccessFile large = new RandomAccessFile(folder.resolve("large").toFile(), "rw")) {
      // Takes no space on disk.
      large.setLength(Integer.MAX_VALUE);
    }
    Run run = verdict();
    assertEquals(0, run.status, run.out);
    assertTrue(
        run.out.matches(
            "(?s).*large +not a model: the file has 2147483647 bytes, expected at most.*"),
        run.out);
    assertTrue(run.out.matches("(?s).*m.json +xgboost_json +exact, .*"), run.out);
  }

  @Test
  void printedDigitsFirstTreesAndDumps() throws IOException {
    Fixture xgBoost = fixture("xgboost-3.4.0", "logistic_nan");
    TreeEnsemble ensemble =
        ModelReader.read(xgBoost.model("json"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    FeatureMatrix matrix =
        FeatureMatrix.ofRows(xgBoost.cases().values(), xgBoost.cases().features());
    double[] three = new double[xgBoost.cases().raw().length];
    for (int row = 0; row < three.length; row++) {
      three[row] = (float) new TreeTrace(ensemble, matrix, row).score(2);
    }
    write("rows.tsv", table(xgBoost.cases()));
    write("some.json", xgBoost.model("json"));
    write("some.predictions.txt", lines(three));
    write("dump.json", xgBoost.model("dump"));
    write("dump.margin", lines(xgBoost.cases().raw()));
    StringBuilder six = new StringBuilder();
    for (double score : xgBoost.cases().raw()) {
      six.append(String.format(Locale.ROOT, "%.6g%n", score));
    }
    write("digits.json", xgBoost.model("json"));
    write("digits.margin", six.toString());
    Run run = verdict();
    assertEquals(0, run.status, run.out);
    assertTrue(run.out.contains("the scores are those of the first 3 of "), run.out);
    assertTrue(run.out.contains("lossy format: a dump lacks the base score"), run.out);
    assertTrue(run.out.matches("(?s).*digits.json +xgboost_json +within bound, .*"), run.out);
  }

  /** Two leaves, of a feature that may be missing; then the other feature's. */
  private static final String DUMP =
      "[{\"nodeid\":0,\"split\":\"f0\",\"split_condition\":0.5,\"yes\":1,\"no\":2,\"missing\":2,"
          + "\"children\":[{\"nodeid\":1,\"leaf\":1.5},{\"nodeid\":2,\"leaf\":-0.25}]},"
          + "{\"nodeid\":0,\"split\":\"f1\",\"split_condition\":0.25,\"yes\":1,\"no\":2,\"missing\":1,"
          + "\"children\":[{\"nodeid\":1,\"leaf\":0.5},{\"nodeid\":2,\"leaf\":-2}]}]";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\t0\n0\t\n\t\n1\t1\n", // Empty fields at both ends.
        ",0\n0,\n,\n1,1\n",
        "7\t\t0\n7\t0\t\n7\t\t\n7\t1\t1\n", // A label first.
        "\t0\t7\n0\t\t7\n\t\t7\n1\t1\t7\n", // A label last.
        "7 1:0\n7 0:0\n7\n7 0:1 1:1\n",
        "7\n7 0:1 1:0\n",
      })
  void theTableNamedAsTheModelIsTaken(String rows) throws IOException {
    write("a.json", DUMP);
    boolean two = rows.startsWith("7\n");
    write("a.expected.raw.tsv", two ? "0.25\n0.25\n" : "0.25\n2\n0.25\n-2.25\n");
    write("a.data.tsv", rows);
    write("b.data.tsv", two ? "1\t1\n0\t0\n" : "1\t1\n0\t1\n1\t0\n0\t0\n");
    Run run = verdict();
    assertEquals(0, run.status, run.out);
    assertTrue(run.out.matches("(?s).*a.json .*exact, . rows, max 0 ulp, 0.0.*"), run.out);
  }

  private static String randomTable(Random random, int rows) {
    StringBuilder table = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      table.append(random.nextFloat()).append('\t').append(random.nextFloat()).append('\n');
    }
    return table.toString();
  }

  @Test
  void aTableOfAsManyRowsAccusesNoModel() throws IOException {
    write("a.json", DUMP);
    write("b.tsv", randomTable(new Random(7), 20));
    write("a.raw.tsv", lines(new Random(8).doubles(20).toArray()));
    Run run = verdict();
    assertEquals(4, run.status, run.out);
    assertTrue(run.out.contains("not compared: no rows found for a.raw.tsv"), run.out);
    write("a.data.tsv", "1\tred\n");
    run = verdict();
    assertEquals(4, run.status, run.out);
    assertTrue(run.out.contains("not compared: a.data.tsv: line 1: field 2: expected a number"));
    write("a.data.tsv", randomTable(new Random(9), 19));
    assertTrue(
        verdict().out.contains("a.data.tsv: found 19 rows, expected one for each of 20 scores"));
  }

  @Test
  void randomScoresAreNotThoseOfADump() throws IOException {
    write("a.json", DUMP);
    write("a.data.tsv", randomTable(new Random(7), 20));
    write("a.raw.tsv", lines(new Random(8).doubles(20).toArray()));
    Run run = verdict();
    assertEquals(1, run.status, run.out);
    assertTrue(
        run.out.contains("differs: first difference in row 1 of a.data.tsv, by more than a"),
        run.out);
  }

  /** One constant, or one number of trees, agrees with any one score. */
  @Test
  void fewScoresAreNoEvidence() throws IOException {
    write("a.json", DUMP);
    write("a.data.tsv", "0\t0\n");
    write("a.raw.tsv", "17.25\n");
    Run run = verdict();
    assertEquals(4, run.status, run.out);
    assertTrue(
        run.out.contains("constant 15.25, but too few scores differ for a verdict"), run.out);
  }

  /** RankLib adds a bag's trees in float, and takes the mean over the bags in double. */
  @Test
  void scoresOfBagsAreDoubles() throws IOException {
    Fixture ranklib = fixture("rankymcrankface-0.2.0", "forest_bags_mart");
    write("m.txt", ranklib.model("txt"));
    write("m.data.tsv", table(ranklib.cases()));
    write("m.raw.tsv", lines(ranklib.cases().raw()));
    Run run = verdict();
    assertTrue(run.out.matches("(?s).*m.txt +ranklib +exact, .*"), run.out);
    double[] wrong = ranklib.cases().raw().clone();
    wrong[3] = Math.nextUp(wrong[3]);
    write("m.raw.tsv", lines(wrong));
    assertEquals(1, verdict().status);
  }

  @Test
  void classLabelsAreNoScores() throws IOException {
    Fixture lightGbm = fixture("lightgbm-4.3.0", "binary_rf");
    write("m.txt", lightGbm.model("txt"));
    write("m.data.tsv", table(lightGbm.cases()));
    double[] labels = Arrays.stream(lightGbm.cases().transformed()).map(Math::rint).toArray();
    write("m.predict.tsv", lines(labels).replace(".0", ""));
    Run run = verdict();
    assertEquals(4, run.status, run.out);
    assertTrue(
        run.out.contains("m.predict.tsv: the scores have too few digits to compare"), run.out);
  }

  @Test
  void expectedScoresThatAreNoNumbersCount() throws IOException {
    Fixture xgBoost = fixture("xgboost-3.4.0", "logistic_nan");
    write("m.json", xgBoost.model("json"));
    write("m.data.tsv", table(xgBoost.cases()));
    double[] scores = xgBoost.cases().raw().clone();
    for (String other : new String[] {"nan", "inf", "-Infinity"}) {
      write("m.raw.tsv", lines(scores).replaceFirst("\n.*\n", "\n" + other + "\n"));
      Run run = verdict();
      assertEquals(1, run.status, run.out);
      assertTrue(run.out.contains("differs: first difference in row 2 of m.data.tsv"), run.out);
    }
    write("m.raw.tsv", lines(scores).replaceFirst("\n.*\n", "\n\n"));
    Run run = verdict();
    assertEquals(4, run.status, run.out);
    assertTrue(
        run.out.contains("not compared: m.raw.tsv: line 2: the line is empty, expected a score"),
        run.out);
    write("m.raw.tsv", lines(scores).replaceFirst("\n.*\n", "\n1\t2\n"));
    assertTrue(verdict().out.contains("not compared: m.raw.tsv: line 2: expected one number"));
    write("m.raw.tsv", lines(scores) + "\n");
    assertEquals(0, verdict().status);
  }

  @Test
  void ofAFolderNoOtherOptionIsTaken() {
    assertEquals(0, verdict("--json").status);
    assertEquals(1, verdict("--output=raw").status);
  }

  @Test
  void verifyTakesLinesOfOneLengthAlone() throws IOException {
    String model = write("m.json", DUMP);
    String data = write("rows.tsv", "f0\tf1\n0\t0\n1\t1\n");
    String stages = "1.5\t2\n";
    assertEquals(
        0, run(new VerifyCommand(), model, data, write("e", stages + "-0.25\t-2.25\n")).status);
    assertEquals(4, failing(model, data, write("e", stages + "-0.25\n")));
    assertEquals(4, failing(model, data, write("e", "2\n-0.25\t-2.25\n")));
    assertEquals(4, failing(model, data, write("e", stages + "-0.25\t\n")));
    assertEquals(1, run(new VerifyCommand(), model, data, write("e", "2\nnan\n")).status);
    String none = write("none.tsv", "f0\tf1\n");
    assertEquals(4, failing(model, none, write("e", "")));
  }

  private static int failing(String... arguments) {
    CommandLine program = new CommandLine(new VerifyCommand());
    program.setCaseInsensitiveEnumValuesAllowed(true);
    program.setExecutionExceptionHandler(
        (e, line, parsed) -> e instanceof Failure failure ? failure.status() : -1);
    return program.execute(arguments);
  }

  @Test
  void verifyNamesTheTree() throws IOException {
    Fixture xgBoost = fixture("xgboost-3.4.0", "logistic_nan");
    String model = write("m.json", xgBoost.model("json"));
    String data = write("rows.tsv", headed(xgBoost.cases()));
    TreeEnsemble ensemble =
        ModelReader.read(xgBoost.model("json"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    FeatureMatrix matrix =
        FeatureMatrix.ofRows(xgBoost.cases().values(), xgBoost.cases().features());
    int trees = ensemble.trees().size();
    int rows = matrix.documents();
    StringBuilder stages = new StringBuilder();
    StringBuilder wrongStages = new StringBuilder();
    StringBuilder leaves = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      TreeTrace trace = new TreeTrace(ensemble, matrix, row);
      for (int tree = 0; tree < trees; tree++) {
        String end = tree == trees - 1 ? "\n" : "\t";
        float score = (float) trace.score(tree);
        stages.append(score).append(end);
        wrongStages.append(row == 4 && tree >= 2 ? Math.nextUp(score) : score).append(end);
        leaves.append(100 - trace.leaf(tree)).append(end);
      }
    }
    Run run = run(new VerifyCommand(), model, data, write("stages", stages.toString()));
    assertEquals(new Run(0, rows + " rows, 0 differing, max 0 ulp\n"), run);
    run = run(new VerifyCommand(), model, data, write("leaves", leaves.toString()));
    assertEquals(new Run(0, rows + " rows, 0 differing, max 0 ulp\n"), run);
    run = run(new VerifyCommand(), model, data, write("stages", wrongStages.toString()));
    assertEquals(1, run.status);
    assertTrue(run.out.contains("first differing row 5: tree 2, leaf "), run.out);
    int changed = leaves.lastIndexOf("\t");
    leaves.replace(changed + 1, leaves.length(), "7\n");
    run = run(new VerifyCommand(), model, data, write("leaves", leaves.toString()));
    assertEquals(1, run.status);
    assertTrue(
        run.out.contains("row " + rows + ": tree " + (trees - 1) + ": the rows in leaf"), run.out);
  }

  @Test
  void verifyGuessesTheTreeFromScores() throws IOException {
    Fixture xgBoost = fixture("xgboost-3.4.0", "logistic_nan");
    String model = write("m.json", xgBoost.model("json"));
    String data = write("rows.tsv", headed(xgBoost.cases()));
    TreeEnsemble ensemble =
        ModelReader.read(xgBoost.model("json"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    FeatureMatrix matrix =
        FeatureMatrix.ofRows(xgBoost.cases().values(), xgBoost.cases().features());
    TreeTrace trace = new TreeTrace(ensemble, matrix, 0);
    int tree = 1;
    int leaf = trace.leaf(tree);
    int other =
        IntStream.range(0, ensemble.trees().get(tree).leaves())
            .filter(l -> l != leaf)
            .findFirst()
            .orElseThrow();
    double[] scores = xgBoost.cases().raw().clone();
    scores[0] +=
        ensemble.trees().get(tree).leafValue(other) - ensemble.trees().get(tree).leafValue(leaf);
    Run run = run(new VerifyCommand(), model, data, write("scores", lines(scores)));
    assertEquals(1, run.status);
    assertTrue(
        run.out.contains("tree 1 would explain the difference if its leaf were " + other), run.out);
    scores[0] = (float) trace.score(0);
    run = run(new VerifyCommand(), model, data, write("scores", lines(scores)));
    assertTrue(run.out.contains("the expected score is that of the first 1 of "), run.out);
  }
}

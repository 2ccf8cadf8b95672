// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.fixtures.Fixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that read a model, run in this JVM. */
final class ScoreCommandTest {
  @TempDir private Path folder;

  private Run run(String... arguments) {
    return Run.here(arguments);
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private String write(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  static Fixture fixture(String trainer, String name) {
    return Fixture.all().stream()
        .filter(f -> f.trainer().equals(trainer) && f.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static String table(Fixture.Cases cases, String header, char separator) {
    StringBuilder table = new StringBuilder(header.replace(' ', separator)).append('\n');
    for (int i = 0; i < cases.values().length; i++) {
      float value = cases.values()[i];
      table.append(Float.isNaN(value) ? "" : Float.toString(value));
      table.append((i + 1) % cases.features() == 0 ? '\n' : separator);
    }
    return table.toString();
  }

  static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  static String lines(double[] scores, boolean floats) {
    StringBuilder lines = new StringBuilder();
    for (double score : scores) {
      lines.append(floats ? Float.toString((float) score) : Double.toString(score)).append('\n');
    }
    return lines.toString();
  }

  @Test
  void messagesNameTheDataSafely() throws Exception {
    String model = write("model.txt", fixture("lightgbm-4.3.0", "regression_plain").model("txt"));
    Run coloured =
        run(
            "score",
            model,
            write(
                "data.tsv",
                "alpha beta gamma delta epsilon category".replace(' ', '\t')
                    + "\n1\t\u001b[31m\u009b2\t1\t1\t1\t1\n"));
    assertEquals(4, coloured.status());
    assertTrue(coloured.err().contains("\"?[31m?2\""), coloured.err());
    String folder = Path.of(model).getParent().toString();
    assertEquals(new Run(2, "", folder + ": is a folder\n"), run("score", model, folder));
  }

  /** One output of several is scored. */
  @Test
  void oneOutput() throws Exception {
    Fixture fixture =
        Fixture.ofSeveralOutputs().stream()
            .filter(f -> f.name().equals("outputs_multiclass"))
            .findFirst()
            .orElseThrow();
    Fixture.Outputs outputs = fixture.outputs();
    String model = write("model.txt", fixture.model("txt"));
    String names = "alpha beta gamma delta epsilon category";
    Fixture.Cases rows =
        new Fixture.Cases(outputs.features(), outputs.values(), new double[0], new double[0]);
    String data = write("rows.tsv", table(rows, names, '\t'));
    Run refused = run("score", model, data);
    assertEquals(3, refused.status());
    assertTrue(refused.err().contains("num_class 5, multiclass: several outputs"), refused.err());
    assertTrue(run("score", model, data, "--output-index", "5").err().contains("expected 0..4"));
    assertEquals(2, run("score", model, data, "--output-index", "x").status());
    String expected =
        Arrays.stream(outputs.raw()[3])
            .mapToObj(Double::toString)
            .collect(Collectors.joining("\n", "", "\n"));
    assertEquals(expected, run("score", model, data, "--output-index", "3").out());
    assertTrue(run("inspect", model, "--output-index", "3").out().contains("output 3 of 5"));
  }

  @Test
  void letorLinesCountFromZeroOrOne() throws Exception {
    Fixture.Cases cases = fixture("lightgbm-4.3.0", "regression_plain").cases();
    String model = write("model.txt", fixture("lightgbm-4.3.0", "regression_plain").model("txt"));
    for (int first = 0; first <= 1; first++) {
      StringBuilder lines = new StringBuilder("# made up\n");
      for (int i = 0; i < cases.values().length; i++) {
        int feature = i % cases.features();
        lines.append(feature == 0 ? "2 qid:7 " : " ");
        lines.append(feature + first).append(':').append(cases.values()[i]);
        lines.append(feature == cases.features() - 1 ? " # document " + i + "\n" : "");
      }
      Run run = run("score", model, write("data.txt", lines.toString()));
      assertEquals(new Run(0, lines(cases.raw(), false), ""), run, "ids from " + first);
    }
    Run run = run("score", model, write("data.txt", "1 qid:1 2:1 3:1\n"));
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("--first-feature"), run.err());
    assertEquals(
        0, run("score", model, write("data.txt", "1 2:1\n"), "--first-feature", "1").status());
  }

  @Test
  void sparseLinesAreKnownByTheirPairs() throws Exception {
    String model = write("model.txt", fixture("lightgbm-4.3.0", "regression_plain").model("txt"));
    String plain = run("score", model, write("d", "1 0:1 5:2\n")).out();
    for (String line : new String[] {"1 0:1 5:2 # doc, one", "\ufeff1 0:1 5:2", "nan 0:1 5:2"}) {
      assertEquals(new Run(0, plain, ""), run("score", model, write("d", line + "\n")), line);
    }
    String good = "1 0:1 5:2\n";
    assertOneLine(
        run("score", model, write("d", good + "0:1 5:2\n")), 4, "line 2: expected a label");
    assertOneLine(
        run("score", model, write("d", good + "qid:1 0:1\n")), 4, "line 2: expected a label");
    assertOneLine(
        run("score", model, write("d", good + "good 0:1\n")), 4, "line 2: expected a number");
  }

  @Test
  void ranklibModelsTakeDataWithMoreFeatures() throws Exception {
    String tree =
        "<ensemble><tree id=\"1\" weight=\"1\"><split><feature> 2 </feature><threshold> 0.5"
            + " </threshold><split pos=\"left\"><output> -1.5 </output></split><split"
            + " pos=\"right\"><output> 2.5 </output></split></split></tree></ensemble>";
    String model = write("model.xml", "## LambdaMART\n" + tree + "\n");
    Run run = run("score", model, write("d", "0 qid:1 1:9 2:0.4\n1 2:0.6 46:3\n"));
    assertEquals(new Run(0, "-1.5\n2.5\n", ""), run);
    assertEquals(new Run(0, "2.5\n", ""), run("score", model, write("d", "1\t2\n9\t0.6\n")));
    assertOneLine(run("score", model, write("d", "0 0:1\n")), 4, "feature 0, expected 1..2");
    assertOneLine(run("score", model, write("d", "0 46:x\n")), 4, "expected a number");
  }

  @Test
  void contributionsAddUp() throws Exception {
    Fixture fixture = fixture("lightgbm-4.3.0", "lambdarank_categorical");
    String header = "alpha beta gamma delta epsilon category";
    String model = write("model.txt", fixture.model("txt"));
    String data = write("rows.tsv", table(fixture.cases(), header, '\t'));
    Run run = run("explain", model, data);
    assertEquals(0, run.status(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals(header.replace(' ', '\t') + "\texpected_value\traw_score", lines.get(0));
    assertEquals(1 + fixture.cases().raw().length, lines.size());
    double[][] expected = fixture.contributions();
    for (int row = 0; row < expected.length; row++) {
      String[] fields = lines.get(1 + row).split("\t");
      for (int f = 0; f < expected[row].length; f++) {
        double contribution = Double.parseDouble(fields[f]);
        assertEquals(expected[row][f], contribution, 1e-9 * Math.abs(expected[row][f]));
      }
      assertEquals(fixture.cases().raw()[row], Double.parseDouble(fields[7]));
    }
    String text = new String(fixture.model("txt"), StandardCharsets.UTF_8);
    String without = write("m", text.replaceAll("leaf_count=", "leaf_cover="));
    assertOneLine(
        run("explain", without, data),
        3,
        "tree 0: contributions need the cover (amount of training data) of each node");
  }

  static void assertOneLine(Run run, int status, String said) {
    assertEquals(status, run.status(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(said), run.err());
    assertFalse(run.err().contains("Exception"), run.err());
  }

  /** A header that names none of the features, and a limit that an option raises. */
  @Test
  void columnsByPositionAndLimits() throws Exception {
    Fixture fixture = fixture("lightgbm-4.3.0", "regression_plain");
    Fixture.Cases cases = fixture.cases();
    String model = write("model.txt", fixture.model("txt"));
    Run run = run("score", model, write("rows.tsv", table(cases, "a b c d e g", '\t')));
    assertEquals(0, run.status(), run.err());
    assertEquals(lines(cases.raw(), false), run.out());
    assertTrue(run.err().contains("contains none of the names of the model's features"), run.err());
    assertOneLine(
        run("score", model, write("rows.tsv", "label\ta\n0\t1\n")),
        4,
        "found 2 columns, expected 6");
    String data = write("data.txt", "1 0:1 5:1\n");
    assertOneLine(
        run("score", model, data, "--limit", "LEAVES=2"), 3, "raise it with --limit LEAVES=N");
    assertEquals(0, run("score", model, data, "--limit", "LEAVES=8,FEATURES=6").status());
  }

  @Test
  void refusedModels() throws Exception {
    String data = write("data.txt", "1 0:1\n");
    assertOneLine(run("score", write("m", "tree\nversion=v4\n"), data), 3, "byte");
    assertOneLine(run("score", write("m", "what is this"), data), 3, "not in a known model format");
    assertOneLine(run("score", write("m", "{\"learner\":["), data), 3, "byte");
  }

  @Test
  void badData() throws Exception {
    String model = write("model.txt", fixture("lightgbm-4.3.0", "regression_plain").model("txt"));
    String good = "1 qid:1 0:1 5:1\n";
    assertOneLine(
        run("score", model, write("d", good + "1 0:x\n")), 4, "d: line 2: expected a number");
    assertOneLine(
        run("score", model, write("d", good + "1 0:1 6:1 9:1\n")), 4, "line 2: feature 6");
    assertOneLine(run("score", model, write("d", good + "1 0:1 0:1\n")), 4, "line 2: feature 0");
    assertOneLine(
        run("score", model, write("d", good + "1 a\n")), 4, "line 2: expected feature:value");
    String header = "alpha,beta,gamma,delta,epsilon,category\n";
    assertOneLine(
        run("score", model, write("d", header + "1,2\n")), 4, "line 2: 2 fields, expected 6");
    assertOneLine(run("score", model, write("d", "alpha,beta\n1,2\n")), 4, "line 1: no column");
    // Else the scores would be those of the lines after.
    assertOneLine(
        run("score", model, write("d", "1,2,3,4,,nan\n1,2,3,4,5,6\n")),
        4,
        "line 1: found values, expected a header with the columns' names");
    byte[] latin = (header + "1,2,3,4,5,caf\u00e9\n").getBytes(StandardCharsets.ISO_8859_1);
    assertOneLine(run("score", model, write("d", latin)), 4, "d: not UTF-8");
    byte[] comment = (good + "1 0:1 # caf\u00e9\n").getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(0, run("score", model, write("d", comment)).status(), "it is no value");
    byte[] cut = Arrays.copyOf(gzip(good.repeat(100)), 30);
    assertOneLine(run("score", model, write("d", cut)), 4, "gzip");
  }

  @Test
  void verify() throws Exception {
    Fixture fixture = fixture("xgboost-3.4.0", "logistic_nan");
    String model = write("model.ubj", fixture.model("ubj"));
    String data = write("rows.csv", table(fixture.cases(), "f0 f1 f2 f3 f4 f5", ','));
    String expected = lines(fixture.cases().raw(), true);
    String file = write("expected", expected);
    Run run = run("verify", model, data, file);
    assertEquals(new Run(0, "120 rows, 0 differing, max 0 ulp\n", ""), run);
    double[] other = fixture.cases().raw().clone();
    other[6] = Math.nextUp((float) other[6]);
    run = run("verify", model, data, write("expected", lines(other, true)));
    assertEquals(1, run.status(), run.err());
    assertTrue(
        run.out().startsWith("120 rows, 1 differing, max 1 ulp\nfirst differing row 7: "),
        run.out());
    assertOneLine(
        run("verify", model, data, write("expected", expected + "1\n")), 4, "more scores");
    assertOneLine(run("verify", model, data, write("expected", "1\n")), 4, "expected: line 2: ");
  }

  @Test
  void verifyAFolderThatLinksToItself() throws Exception {
    Path models = Files.createDirectory(folder.resolve("models"));
    write("models/model.txt", fixture("lightgbm-4.3.0", "regression_plain").model("txt"));
    Files.createSymbolicLink(models.resolve("again"), models);
    Run run = run("verify", models.toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("model.txt"), run.out());
    String named = models.toString();
    assertOneLine(run("verify", named, named), 2, "models is a folder, so no DATA and EXPECTED");
    assertOneLine(run("verify", "nowhere"), 2, "nowhere is not a folder; expected verify FOLDER");
  }

  @Test
  void verifyAFolderWithADifferenceOrWithoutRows() throws Exception {
    Path models = Files.createDirectory(folder.resolve("models"));
    Fixture fixture = fixture("xgboost-3.4.0", "logistic_nan");
    write("models/model.ubj", fixture.model("ubj"));
    String rows = table(fixture.cases(), "", '\t').substring(1);
    Path data = Path.of(write("models/model.data.tsv", rows));
    double[] raw = fixture.cases().raw().clone();
    write("models/model.margin.tsv", lines(raw, true));
    Run run = run("verify", models.toString());
    assertEquals(0, run.status(), run.out());
    assertTrue(run.out().contains("1 exact"), run.out());
    raw[6] += 1;
    write("models/model.margin.tsv", lines(raw, true));
    run = run("verify", models.toString());
    assertEquals(1, run.status(), run.out());
    Files.delete(data);
    run = run("verify", models.toString());
    assertEquals(4, run.status(), run.out());
  }

  @Test
  void inspect() throws Exception {
    String model = write("model.txt", fixture("lightgbm-4.3.0", "binary_rf").model("txt"));
    Run run = run("inspect", model);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("lightgbm_text"), run.out());
    assertTrue(run.out().contains("binary sigmoid:1"), run.out());
    String json = run("inspect", "--json", model).out();
    assertTrue(json.contains("\"trees\":8"), json);
    assertTrue(json.contains("\"transform_divisor\":8.0"), json);
    assertTrue(json.contains("\"features_used\":[\"alpha\","), json);
  }

  @Test
  void wrongUsage() throws Exception {
    assertEquals(2, run("score").status());
    assertEquals(2, run("guess").status());
    String model = write("model.txt", fixture("lightgbm-4.3.0", "leaves_255").model("txt"));
    String data = write("data.txt", "1 0:1\n");
    assertOneLine(run("score", "nowhere", data), 2, "nowhere: no such file");
    assertOneLine(run("score", model, "nowhere"), 2, "nowhere: no such file");
    assertOneLine(run("score", model, data, "--engine", "warp"), 2, "--engine");
    assertOneLine(run("score", model, data, "--format", "abacus"), 2, "--format");
    assertEquals(0, run("--help").status());
    assertEquals(0, run("help").status());
    assertEquals(run("score", "--help").out(), run("help", "score").out());
  }
}

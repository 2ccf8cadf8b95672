// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Prints the table of docs/formats-parity.md, and leaves it in target/parity.md: how far our scores
 * are from those of the trainers, by format, trainer and variant, over all fixtures.
 */
final class ParityTableTest {
  /** Variants by how their models' names begin. */
  private static final Map<String, String> STARTS =
      Map.ofEntries(
          Map.entry("leaves_", "1 to 1024 leaves"),
          Map.entry("leafwise_", "1 to 1024 leaves"),
          Map.entry("depth_", "1 to 1024 leaves"),
          Map.entry("zeros_", "default values"),
          Map.entry("categories", "one category per split"),
          Map.entry("base_", "base score"),
          Map.entry("linear_trees", "linear trees"),
          Map.entry("linear_updater", "linear"),
          Map.entry("coordinate_", "linear"),
          Map.entry("adarank", "linear"),
          Map.entry("lambdamart_", "LambdaMART"),
          Map.entry("mart_", "MART"),
          Map.entry("forest_", "Random Forests"),
          Map.entry("trees_", "trees"),
          Map.entry("lossguide", "not oblivious"),
          Map.entry("ctrs", "CTRs"),
          Map.entry("one_hot_splits", "one-hot splits"),
          Map.entry("unused_categories", "unused categories"),
          Map.entry("left_out", "unused features left out"),
          Map.entry("plain_nan", "NaN modes"),
          Map.entry("scale_", "scale and bias"),
          Map.entry("bias", "scale and bias"));

  /** Variants by how their models' names end. */
  private static final List<String> VARIANTS =
      List.of(
          "plain",
          "nan",
          "zero_as_missing",
          "use_missing_false",
          "categorical",
          "one_hot",
          "partition",
          "dart",
          "rf",
          "parallel",
          "pruned",
          "refreshed",
          "refreshed_stats");

  /** What was measured of one variant. */
  private static final class Measured {
    private final Set<String> formats = new LinkedHashSet<>();
    private int models;
    private long rows;
    private long raw;
    private long transformed;
  }

  @Test
  void table() throws IOException {
    Map<String, Measured> table = new LinkedHashMap<>();
    for (Fixture fixture : Fixture.all()) {
      Measured measured =
          table.computeIfAbsent(
              fixture.trainer() + " | " + variant(fixture), key -> new Measured());
      measured.models++;
      for (String encoding : fixture.encodings()) {
        // A dump has lost what its scores need.
        if (!encoding.equals("dump")) {
          measure(fixture, encoding, measured);
        }
      }
    }
    StringBuilder text = new StringBuilder();
    text.append(
        "| trainer | variant | formats | models | rows | raw, max ulp | predict, max ulp |\n");
    text.append("|---|---|---|--:|--:|--:|--:|\n");
    table.forEach(
        (key, of) ->
            text.append(
                String.join(
                    " | ",
                    "| " + key,
                    String.join(", ", of.formats),
                    String.valueOf(of.models),
                    String.valueOf(of.rows),
                    String.valueOf(of.raw),
                    of.transformed + " |\n")));
    System.out.print(text);
    Files.writeString(Path.of(System.getProperty("java.io.tmpdir")).resolve("parity.md"), text);
    table.forEach((key, of) -> assertTrue(of.raw <= 1, key));
  }

  private static String variant(Fixture fixture) {
    String name = fixture.name();
    if (fixture.trainer().startsWith("onnxruntime")) {
      return fixture.about().split(",", 3)[0] + "," + fixture.about().split(",", 3)[1];
    }
    boolean grid = fixture.trainer().startsWith("lightgbm") || fixture.trainer().startsWith("xgb");
    for (String variant : grid ? VARIANTS : List.<String>of()) {
      if (name.endsWith("_" + variant)) {
        return variant;
      }
    }
    for (Map.Entry<String, String> start : STARTS.entrySet()) {
      if (name.startsWith(start.getKey())) {
        return start.getValue();
      }
    }
    return "other objectives";
  }

  private static void measure(Fixture fixture, String encoding, Measured to) {
    Fixture.Cases cases = fixture.cases();
    TreeEnsemble ensemble =
        ModelReader.read(fixture.model(encoding), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    FeatureMatrix matrix = FeatureMatrix.ofRows(cases.values(), cases.features());
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.OBJECT);
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    to.formats.add(ensemble.source().format().label());
    to.rows += scores.length;
    for (int row = 0; row < scores.length; row++) {
      to.raw = Math.max(to.raw, ulps(fixture, ensemble, cases.raw()[row], scores[row]));
      double prediction = ensemble.transform().apply(scores[row]);
      double expected = cases.transformed()[row];
      // The runtime's own Sigmoid is known by its absolute error only; see OnnxParityTest.
      if (!fixture.name().equals("sigmoid_after")) {
        to.transformed = Math.max(to.transformed, ulps(fixture, ensemble, expected, prediction));
      }
    }
  }

  /** ONNX Runtime rounds what it sums in double to float, but for the form of opset 5. */
  private static long ulps(Fixture fixture, TreeEnsemble ensemble, double expected, double found) {
    boolean rounded =
        fixture.trainer().startsWith("onnxruntime") && expected == (double) (float) expected;
    return rounded
        ? Ulps.between(Accumulator.FLOAT, expected, found)
        : Ulps.between(ensemble.accumulator(), expected, found);
  }
}

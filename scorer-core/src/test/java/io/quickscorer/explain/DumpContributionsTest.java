// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Dumps explain what model files explain: LightGBM's, and XGBoost's with statistics. The fixtures
 * of those have none, so each node gets the model file's, where {@code with_stats} writes them.
 */
final class DumpContributionsTest {
  /** All of a dump's node but its children: a split ends where they begin. */
  private static final Pattern NODE =
      Pattern.compile("\"nodeid\": (\\d+),[^{}]*?( }|, \"children\")");

  /** Dart's dumps lack the weights of the trees. */
  static List<Fixture> dumped() {
    return Fixture.all().stream()
        .filter(f -> f.encodings().contains("dump") && f.encodings().contains("json"))
        .filter(f -> !f.name().contains("dart"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("dumped")
  void contributionsAreTheModels(Fixture fixture) {
    TreeEnsemble model = read(text(fixture, "json"));
    TreeEnsemble dump = read(withStatistics(text(fixture, "dump"), text(fixture, "json")));
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix rows = FeatureMatrix.ofRows(cases.values(), cases.features());
    List<String> names = dump.featureNames();
    FeatureMatrix dumpRows = new FeatureMatrix(names.size(), rows.documents());
    for (int f = 0; f < names.size(); f++) {
      int column = rows.column(model.featureNames().indexOf(names.get(f)));
      for (int row = 0; row < rows.documents(); row++) {
        dumpRows.set(row, f, rows.values()[column + row]);
      }
    }
    Explainer ofModel = Explainer.compile(model);
    Explainer ofDump = Explainer.compile(dump);
    for (int row = 0; row < Math.min(20, rows.documents()); row++) {
      double[] all = ofModel.contributions(rows, row, ofModel.newWorkspace());
      double[] expected =
          names.stream().mapToDouble(name -> all[model.featureNames().indexOf(name)]).toArray();
      assertArrayEquals(expected, ofDump.contributions(dumpRows, row, ofDump.newWorkspace()));
    }
    List<FeatureImportance> importance = FeatureImportance.of(model);
    for (FeatureImportance found : FeatureImportance.of(dump)) {
      assertEquals(importance.get(model.featureNames().indexOf(found.feature())), found);
    }
  }

  static List<Fixture> lightGbmDumped() {
    return Fixture.all().stream()
        .filter(f -> f.trainer().startsWith("lightgbm") && f.encodings().contains("json"))
        // Linear leaves have no contributions.
        .filter(f -> !f.name().startsWith("linear_trees"))
        .toList();
  }

  /** LightGBM's dumps number nodes in another order, and write gains with other digits. */
  @ParameterizedTest
  @MethodSource("lightGbmDumped")
  void contributionsAreTheModelsOfLightGbm(Fixture fixture) {
    TreeEnsemble model = read(text(fixture, "txt"));
    TreeEnsemble dump = read(text(fixture, "json"));
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix rows = FeatureMatrix.ofRows(cases.values(), cases.features());
    Explainer ofModel = Explainer.compile(model);
    Explainer ofDump = Explainer.compile(dump);
    for (int row = 0; row < Math.min(20, rows.documents()); row++) {
      double[] expected = ofModel.contributions(rows, row, ofModel.newWorkspace());
      double[] found = ofDump.contributions(rows, row, ofDump.newWorkspace());
      assertArrayEquals(expected, found, 1e-12 * Arrays.stream(expected).map(Math::abs).sum());
    }
    List<FeatureImportance> importance = FeatureImportance.of(model);
    List<FeatureImportance> found = FeatureImportance.of(dump);
    for (int f = 0; f < importance.size(); f++) {
      assertEquals(importance.get(f).splits(), found.get(f).splits());
      assertEquals(importance.get(f).totalCover(), found.get(f).totalCover());
      double gain = importance.get(f).totalGain();
      assertEquals(gain, found.get(f).totalGain(), 1e-4 * Math.abs(gain));
    }
  }

  private static String withStatistics(String dump, String model) {
    List<String[]> covers = arrays(model, "sum_hessian");
    List<String[]> gains = arrays(model, "loss_changes");
    StringBuilder written = new StringBuilder();
    Matcher nodes = NODE.matcher(dump);
    int tree = -1;
    while (nodes.find()) {
      int node = Integer.parseInt(nodes.group(1));
      // The root comes first.
      tree += node == 0 ? 1 : 0;
      boolean leaf = nodes.group(2).equals(" }");
      String gain = leaf ? "" : ", \"gain\": " + gains.get(tree)[node];
      String all = nodes.group();
      String before = all.substring(0, all.length() - nodes.group(2).length());
      nodes.appendReplacement(
          written,
          Matcher.quoteReplacement(
              before + gain + ", \"cover\": " + covers.get(tree)[node] + nodes.group(2)));
    }
    assertEquals(covers.size(), tree + 1);
    return nodes.appendTail(written).toString();
  }

  /** The array of that name in each tree. */
  private static List<String[]> arrays(String model, String name) {
    return Pattern.compile("\"" + name + "\":\\[([^\\]]*)\\]")
        .matcher(model)
        .results()
        .map((MatchResult found) -> found.group(1).split(","))
        .toList();
  }

  private static String text(Fixture fixture, String encoding) {
    return new String(fixture.model(encoding), StandardCharsets.UTF_8);
  }

  private static TreeEnsemble read(String model) {
    return ModelReader.read(
        model.getBytes(StandardCharsets.UTF_8), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }
}

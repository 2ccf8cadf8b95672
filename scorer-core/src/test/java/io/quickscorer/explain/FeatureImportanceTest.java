// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class FeatureImportanceTest {
  static List<Fixture> lightGbm() {
    return Fixture.all().stream().filter(f -> f.trainer().startsWith("lightgbm-4")).toList();
  }

  /** LightGBM notes its own sums of gains, cut to integers, at the end of the file. */
  @ParameterizedTest
  @MethodSource("lightGbm")
  void gainsAreLightGbms(Fixture fixture) {
    byte[] file = fixture.model("txt");
    Map<String, Long> noted = notedGains(new String(file, StandardCharsets.UTF_8));
    List<FeatureImportance> found =
        FeatureImportance.of(ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
    for (FeatureImportance importance : found) {
      long expected = noted.getOrDefault(importance.feature(), 0L);
      // The file gives each gain with six digits.
      double rounding = 1e-5 * importance.totalGain();
      assertEquals(expected + 0.5, importance.totalGain(), 0.5 + rounding, importance.feature());
      assertEquals(importance.splits() == 0, importance.totalCover() == 0);
      assertTrue(importance.averageGain() <= importance.totalGain());
    }
  }

  private static Map<String, Long> notedGains(String text) {
    Map<String, Long> gains = new HashMap<>();
    int from = text.indexOf("feature_importances:\n");
    for (String line : text.substring(from, text.indexOf("\n\n", from)).lines().skip(1).toList()) {
      int equals = line.indexOf('=');
      gains.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
    }
    return gains;
  }

  @Test
  void whatTheFileLacksIsNaN() {
    TreeEnsemble ensemble =
        RandomEnsembles.of(Seeds.random("importance")).trees(3).leaves(5, 5).features(2).build();
    List<FeatureImportance> found = FeatureImportance.of(ensemble);
    assertEquals(12, found.get(0).splits() + found.get(1).splits());
    for (FeatureImportance importance : found) {
      assertTrue(Double.isNaN(importance.totalGain()) && Double.isNaN(importance.averageCover()));
      assertTrue(Double.isNaN(importance.weight()));
      assertEquals(importance.splits() > 0, importance.isUsed());
    }
  }

  @Test
  void coversAreSummed() {
    TreeEnsemble ensemble =
        RandomEnsembles.of(Seeds.random("covers")).covers().trees(1).leaves(2, 2).build();
    int feature = ensemble.trees().get(0).feature(0);
    FeatureImportance importance = FeatureImportance.of(ensemble).get(feature);
    double cover = ensemble.trees().get(0).statistics().splitCover(0);
    assertEquals(
        new FeatureImportance("f" + feature, 1, Double.NaN, cover, Double.NaN), importance);
    assertEquals(cover, importance.averageCover());
  }

  /** A feature may have several terms, whose weights are added. */
  @Test
  void aLinearModelHasWeights() {
    TreeEnsemble ensemble =
        TreeEnsemble.builder(
                List.of("a", "b", "c"), new ModelSource(new ModelFormat("test"), "", ""))
            .linear(LinearTerms.of(new int[] {2, 0, 2}, new double[] {-4, 0, 1}))
            .build();
    List<FeatureImportance> found = FeatureImportance.of(ensemble);
    double none = Double.NaN;
    assertEquals(new FeatureImportance("a", 0, none, none, 0), found.get(0));
    assertEquals(new FeatureImportance("b", 0, none, none, 0), found.get(1));
    assertEquals(new FeatureImportance("c", 0, none, none, -3), found.get(2));
    assertEquals(
        List.of(false, false, true), found.stream().map(FeatureImportance::isUsed).toList());
  }
}

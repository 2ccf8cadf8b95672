// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import static io.quickscorer.reader.SmallModels.LIGHTGBM;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LightGbmTextReaderTest {
  @Test
  void coversAndGains() {
    String model = with(LIGHTGBM, "leaf_count=1 1 1", "leaf_count=5 6 7");
    model = with(model, "internal_count=3 2", "internal_count=18 13");
    model = with(model, "split_gain=2 1", "split_gain=2.5 0.125");
    NodeStatistics statistics = read(model).trees().get(0).statistics();
    assertEquals(18, statistics.splitCover(0));
    assertEquals(13, statistics.splitCover(1));
    for (int leaf = 0; leaf < 3; leaf++) {
      assertEquals(5 + leaf, statistics.leafCover(leaf));
    }
    assertEquals(2.5f, statistics.gain(0));
    assertEquals(0.125f, statistics.gain(1));
    NodeStatistics absent =
        read(with(LIGHTGBM, "leaf_count=1 1 1\n", "")).trees().get(0).statistics();
    assertFalse(absent.hasCovers());
    assertTrue(absent.hasGains());
    assertRefused(with(LIGHTGBM, "leaf_count=1 1 1", "leaf_count=1 1"), "tree 0, leaf_count");
  }

  @Test
  void headerFields() {
    TreeEnsemble ensemble = read(LIGHTGBM);
    assertEquals(List.of("a", "b"), ensemble.featureNames());
    assertEquals(Accumulator.DOUBLE, ensemble.accumulator());
    assertEquals(new OutputTransform(Kind.SIGMOID, 2.5), ensemble.transform());
    assertEquals("lightgbm_text", ensemble.source().format().label());
    assertEquals("v4", ensemble.source().version());
    assertEquals("binary sigmoid:2.5", ensemble.source().objective());
  }

  @Test
  void splitsAndLeaves() {
    TreeEnsemble ensemble = read(LIGHTGBM);
    assertEquals(4001, score(ensemble, 0.5f, 0f));
    assertEquals(4001, score(ensemble, Float.NaN, 0f), "NaN goes by its default direction");
    assertEquals(4020, score(ensemble, Math.nextUp(0.5f), 1f));
    assertEquals(4020, score(ensemble, 1f, 33.9f), "categories are truncated");
    assertEquals(4300, score(ensemble, 1f, 32f));
    assertEquals(4300, score(ensemble, 1f, -1f));
    assertEquals(4300, score(ensemble, 1f, Float.NaN));
  }

  /** Where the missing type is none, NaN is taken for zero. */
  @ParameterizedTest
  @CsvSource({"0.5, 4001", "0, 4001", "-0.5, 4300"})
  void missingNone(String threshold, double expected) {
    String model =
        with(
            with(LIGHTGBM, "decision_type=10", "decision_type=0"),
            "=0.5 0",
            "=" + threshold + " 0");
    assertEquals(expected, score(read(model), Float.NaN, 0f));
  }

  /** Under zero_as_missing both zero and NaN go by the default direction. */
  @Test
  void missingZero() {
    TreeEnsemble ensemble = read(with(LIGHTGBM, "decision_type=10", "decision_type=4"));
    assertEquals(4300, score(ensemble, 0f, 0f));
    assertEquals(4300, score(ensemble, -1e-35f, 0f));
    assertEquals(4300, score(ensemble, Float.NaN, 0f));
    assertEquals(4001, score(ensemble, Math.nextDown(-1e-35f), 0f));
  }

  /** LightGBM takes |x| up to 1e-35 for zero before it compares. */
  @Test
  void valuesAtZero() {
    TreeEnsemble ensemble = read(with(LIGHTGBM, "=0.5 0", "=-1.0000000180025095e-35 0"));
    assertEquals(4300, score(ensemble, -1e-35f, 0f));
    assertEquals(4001, score(ensemble, Math.nextDown(-1e-35f), 0f));
  }

  @Test
  void infiniteThreshold() {
    TreeEnsemble ensemble = read(with(LIGHTGBM, "=0.5 0", "=inf 0"));
    assertEquals(4001, score(ensemble, Float.POSITIVE_INFINITY, 0f));
  }

  @ParameterizedTest
  @CsvSource({
    "regression, IDENTITY",
    "regression sqrt, SIGNED_SQUARE",
    "regression_l1, IDENTITY",
    "huber, IDENTITY",
    "poisson, EXP",
    "gamma, EXP",
    "tweedie, EXP",
    "cross_entropy, SIGMOID",
    "cross_entropy_lambda, LOG1P_EXP",
    "lambdarank, IDENTITY",
    "rank_xendcg, IDENTITY"
  })
  void objectives(String objective, Kind kind) {
    TreeEnsemble ensemble = read(with(LIGHTGBM, "binary sigmoid:2.5", objective));
    assertEquals(new OutputTransform(kind, 1), ensemble.transform());
  }

  @Test
  void customObjectiveHasNoLine() {
    TreeEnsemble ensemble = read(with(LIGHTGBM, "objective=binary sigmoid:2.5\n", ""));
    assertEquals(OutputTransform.IDENTITY, ensemble.transform());
  }

  @Test
  void forestsAreAveragedBeforeTheLink() {
    TreeEnsemble ensemble =
        read(with(LIGHTGBM, "label_index=0\n", "label_index=0\naverage_output\n"));
    assertEquals(4001, score(ensemble, 0f, 0f), "raw is the sum");
    assertEquals(new OutputTransform(Kind.SIGMOID, 2.5, 2), ensemble.transform());
  }

  @Test
  void windowsLineEnds() {
    assertEquals(4001, score(read(LIGHTGBM.replace("\n", "\r\n")), 0f, 0f));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v2", "v3", "v4"})
  void versions(String version) {
    assertEquals(version, read(with(LIGHTGBM, "=v4", "=" + version)).source().version());
  }

  @Test
  void unsupportedKinds() {
    assertRefused(with(LIGHTGBM, "num_class=1", "num_class=3"), "byte ", "num_class: 3");
    assertRefused(with(LIGHTGBM, "iteration=1", "iteration=3"), "num_tree_per_iteration is 3");
    assertRefused(with(LIGHTGBM, "binary sigmoid:2.5", "multiclass num_class:3"), "multi-class");
    assertRefused(with(LIGHTGBM, "binary sigmoid:2.5", "guesswork"), "objective");
    assertRefused(with(LIGHTGBM, "is_linear=0", "is_linear=1"), "tree 0", "leaf_const: missing");
    assertRefused(with(LIGHTGBM, "version=v4", "version=v9"), "version");
  }

  @Test
  void arrayLengths() {
    assertRefused(with(LIGHTGBM, "num_leaves=3", "num_leaves=2147483647"), "tree 0", "num_leaves");
    assertRefused(
        with(LIGHTGBM, "num_leaves=3", "num_leaves=60000"), "tree 0, leaf_value: 8 characters");
    assertRefused(with(LIGHTGBM, "num_leaves=3", "num_leaves=0"), "tree 0, num_leaves");
    assertRefused(
        with(LIGHTGBM, "leaf_value=1 20 300", "leaf_value=1 20   "),
        "tree 0, leaf_value: found 2 elements");
    assertRefused(
        with(LIGHTGBM, "leaf_value=1 20 300", "leaf_value=1 20 300 4"), "more than the expected 3");
    assertRefused(with(LIGHTGBM, "split_feature=0 1", "split_feature=0 1 0"), "split_feature");
    assertRefused(with(LIGHTGBM, "threshold=0.5 0\n", ""), "tree 0, threshold: missing");
    assertRefused(
        with(LIGHTGBM, "threshold=0.5 0\n", "threshold=0.5 0\nthreshold=0.5 0\n"),
        "the field occurs twice");
  }

  @Test
  void values() {
    assertRefused(with(LIGHTGBM, "=0.5 0", "=nan 0"), "byte ", "tree 0, node 0", "NaN");
    assertRefused(with(LIGHTGBM, "=0.5 0", "=0,5 0"), "tree 0, threshold: element 0");
    assertRefused(with(LIGHTGBM, "=0.5 0", "=0x1p3 0"), "tree 0, threshold: element 0");
    assertRefused(with(LIGHTGBM, "=0.5 0", "=" + "1".repeat(1000) + " 0"), "threshold");
    assertRefused(with(LIGHTGBM, "20 300", "1e999 300"), "tree 0", "leaf value Infinity");
    assertRefused(with(LIGHTGBM, "20 300", "nan 300"), "tree 0", "leaf value NaN");
    assertRefused(with(LIGHTGBM, "binary sigmoid:2.5", "binary sigmoid:0"), "sigmoid");
    assertRefused(with(LIGHTGBM, "binary sigmoid:2.5", "binary sigmoid:x"), "sigmoid");
  }

  @Test
  void children() {
    assertRefused(with(LIGHTGBM, "left_child=-1", "left_child=2"), "tree 0, left_child: element 0");
    assertRefused(
        with(LIGHTGBM, "left_child=-1", "left_child=-9"), "tree 0, left_child: element 0");
    assertRefused(with(LIGHTGBM, "left_child=-1", "left_child=0"), "tree 0, node 0");
    assertRefused(
        with(LIGHTGBM, "left_child=-1", "left_child=-2"), "tree 0", "already has a parent");
    assertRefused(with(LIGHTGBM, "right_child=1", "right_child=0"), "tree 0, node 0");
    assertRefused(
        with(LIGHTGBM, "split_feature=0 1", "split_feature=2 1"), "feature 2, expected 0..1");
  }

  @Test
  void decisionTypes() {
    for (int type : new int[] {12, 16, 64, 255, -1}) {
      assertRefused(with(LIGHTGBM, "decision_type=10", "decision_type=" + type), "decision_type");
    }
  }

  @Test
  void categories() {
    assertRefused(
        with(LIGHTGBM, "=0.5 0", "=0.5 1"), "node 1: set of categories 1.0, but there are 1 sets");
    assertRefused(with(LIGHTGBM, "=0.5 0", "=0.5 0.5"), "node 1: set of categories");
    assertRefused(with(LIGHTGBM, "boundaries=0 2", "boundaries=1 2"), "cat_boundaries");
    assertRefused(with(LIGHTGBM, "boundaries=0 2", "boundaries=0 3"), "cat_threshold");
    assertRefused(with(LIGHTGBM, "boundaries=0 2", "boundaries=0 2000000000"), "cat_threshold");
    assertRefused(
        with(LIGHTGBM, "cat_threshold=2 2", "cat_threshold=2 4294967296"), "cat_threshold");
    assertRefused(with(LIGHTGBM, "num_cat=1", "num_cat=0"), "there are 0");
    assertRefused(with(LIGHTGBM, "num_cat=1", "num_cat=2000000"), "cat_boundaries");
    String descending =
        with(with(LIGHTGBM, "boundaries=0 2", "boundaries=0 2 1"), "num_cat=1", "num_cat=2");
    assertRefused(descending, "cat_boundaries: the numbers must start with 0");
  }

  @Test
  void header() {
    assertRefused(with(LIGHTGBM, "max_feature_idx=1\n", ""), "max_feature_idx: missing");
    assertRefused(
        with(LIGHTGBM, "max_feature_idx=1", "max_feature_idx=2147483647"), "max_feature_idx");
    assertRefused(
        with(LIGHTGBM, "max_feature_idx=1", "max_feature_idx=2"), "feature_names: found 2");
    assertRefused(with(LIGHTGBM, "feature_names=a b\n", ""), "feature_names: missing");
    assertRefused(with(LIGHTGBM, "feature_names=a b", "feature_names=a a"), "feature 1");
    assertRefused(with(LIGHTGBM, "feature_names=a b", "feature_names=a "), "feature 1");
    assertEquals(read(LIGHTGBM).trees().size(), read("\ufeff" + LIGHTGBM).trees().size());
    assertRefused("tree\n", "0 trees");
    assertRefused(LIGHTGBM.substring(0, LIGHTGBM.indexOf("Tree=0")), "0 trees");
  }

  @Test
  void treeSizes() {
    int first = LIGHTGBM.indexOf("Tree=0");
    int second = LIGHTGBM.indexOf("Tree=1");
    int end = LIGHTGBM.indexOf("end of trees");
    String header = "feature_infos=[0:1] 0:1:33\n";
    String right = "tree_sizes=" + (second - first) + " " + (end - second) + "\n";
    assertEquals(4001, score(read(with(LIGHTGBM, header, header + right)), 0f, 0f));
    assertRefused(
        with(LIGHTGBM, header, header + "tree_sizes=" + (second - first) + "\n"),
        "tree_sizes lists 1");
    assertRefused(
        with(LIGHTGBM, header, header + "tree_sizes=999999999 7\n"), "tree 1", "tree_sizes");
    assertRefused(with(LIGHTGBM, header, header + "tree_sizes=-1 7\n"), "tree_sizes");
  }

  @Test
  void treesAreNumbered() {
    assertRefused(with(LIGHTGBM, "Tree=1", "Tree=7"), "Tree=7: expected Tree=1");
    assertRefused(with(LIGHTGBM, "end of trees", "and so on"), "tree 1", "end of trees");
  }
}

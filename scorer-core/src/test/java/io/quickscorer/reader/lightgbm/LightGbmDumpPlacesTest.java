// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import static io.quickscorer.reader.SmallModels.LIGHTGBM_DUMP;
import static io.quickscorer.reader.SmallModels.assertRefusedAt;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.refusal;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refusals of LightGBM's dumps to the byte, and what is just within bounds. */
final class LightGbmDumpPlacesTest {
  private static final EnsembleLimits ONE_TREE = new EnsembleLimits(1, 10, 10, 10, 100, 100);

  private static void lightGbm(String old, String replacement, String place, String message) {
    assertRefusedAt(with(LIGHTGBM_DUMP, old, replacement), place, message);
  }

  @Test
  void lightGbmDocuments() {
    lightGbm(
        "\"num_class\":1",
        "\"num_class\":2",
        "2,\"num_tree",
        "num_class: 2, but num_tree_per_iteration is 1");
    lightGbm(
        "\"num_class\":1",
        "\"num_class\":0",
        "0,\"num_tree",
        "num_class: 0, expected 1..2147483647");
    lightGbm("binary sigmoid:2.5", "best", "\"best\"", "objective: LightGBM has no such objective");
    lightGbm(
        "\"tree_structure\":{\"leaf_value\":4000}",
        "\"x\":0",
        "}],\"pandas",
        "tree 1, tree_structure: missing");
    assertRefusedAt(LIGHTGBM_DUMP, "{\"tree_index\":1", "trees: 2, at most 1 allowed", ONE_TREE);
    String none =
        LIGHTGBM_DUMP.replaceFirst("(?s)\"tree_info\":.*,\"pandas", "\"tree_info\":[],\"pandas");
    assertEquals("found 0 trees, expected 1 or more", refusal(none, EnsembleLimits.DEFAULT));
    assertEquals(
        "found 0 trees, expected 1 or more",
        refusal(with(none, "output\":false", "output\":true"), EnsembleLimits.DEFAULT));
    assertEquals(List.of(), read(LIGHTGBM_DUMP).source().notes());
    assertEquals("v4", read(LIGHTGBM_DUMP).source().version());
    TreeEnsemble custom = read(with(LIGHTGBM_DUMP, "\"objective\":\"binary sigmoid:2.5\",", ""));
    assertTrue(custom.source().notes().getFirst().contains("has no objective"));
  }

  @Test
  void lightGbmNodes() {
    String root = "{\"split_index\":0";
    String endOfRoot = "}},\n{\"tree_index\":1";
    String endOfRight = "}}},\n{\"tree_index\":1";
    lightGbm(
        "\"split_feature\":0",
        "\"split_feature\":2",
        root,
        "tree 0, node 0: feature 2, expected 0..1");
    lightGbm(
        "\"split_feature\":0",
        "\"split_feature\":-1",
        "-1,\"split_gain",
        "tree 0, split_feature: -1, expected 0..2147483647");
    lightGbm("\"<=\"", "\"<\"", "\"<\"", "tree 0, decision_type: expected <= or ==");
    lightGbm(
        "\"<=\"",
        "\"==\"",
        endOfRoot,
        "tree 0, threshold: expected categories, such as 1||3, because decision_type is ==");
    lightGbm(
        "\"==\"",
        "\"<=\"",
        endOfRight,
        "tree 0, threshold: expected a number, because decision_type is <=");
    lightGbm("1||33", "1||x", endOfRight, "tree 0, threshold: expected categories, such as 1||3");
    lightGbm("1||33", "1||", endOfRight, "tree 0, threshold: expected categories, such as 1||3");
    lightGbm("1||33", "1||-3", endOfRight, "tree 0, threshold: category -3, expected 0 or more");
    lightGbm(
        "1||33",
        "1||16777217",
        endOfRight,
        "tree 0, threshold: category: 16777217, at most 16777216 allowed");
    lightGbm("\"NaN\"", "\"nan\"", "\"nan\"", "tree 0, missing_type: expected None, Zero or NaN");
    lightGbm(
        "\"leaf_value\":1}",
        "\"leaf_value\":NaN}",
        root,
        "tree 0, node 1: leaf value NaN, expected a finite number");
    lightGbm(
        "\"leaf_value\":1}",
        "\"leaf_value\":1,\"leaf_const\":1,\"leaf_features\":[],\"leaf_coeff\":[]}",
        root,
        "tree 0, node 3: the leaf has only a constant value, but other leaves have linear"
            + " functions");
    lightGbm(
        "\"leaf_value\":1}",
        "\"leaf_value\":1,\"leaf_const\":1}",
        "},\"right_child\":{\"split_index\":1",
        "tree 0, linear leaf: expected both leaf_const and leaf_coeff");
    lightGbm(
        "\"leaf_value\":1}",
        "\"leaf_value\":1,\"leaf_features\":[],\"leaf_coeff\":[]}",
        "},\"right_child\":{\"split_index\":1",
        "tree 0, linear leaf: expected both leaf_const and leaf_coeff");
    lightGbm(
        "\"leaf_value\":1}",
        "\"leaf_value\":1,\"leaf_const\":1,\"leaf_features\":[2],\"leaf_coeff\":[1]}",
        root,
        "tree 0, node 1: leaf feature 2, expected 0..1");
    lightGbm(
        "\"leaf_value\":1}",
        "\"leaf_value\":1,\"leaf_features\":[2]}",
        "},\"right_child\":{\"split_index\":1",
        "tree 0, leaf_coeff: found 0 coefficients, expected 1");
    lightGbm(
        "\"leaf_value\":1}",
        "\"leaf_count\":1}",
        "},\"right_child\":{\"split_index\":1",
        "tree 0, one of the first 2 nodes: expected either the fields of a leaf or those of a"
            + " split");
    lightGbm(
        "\"left_child\":{\"leaf_index\":0",
        "\"x\":{\"leaf_index\":0",
        endOfRoot,
        "tree 0, left_child, right_child: missing");
    lightGbm(
        "\"right_child\":{\"leaf_index\":2",
        "\"x\":{\"leaf_index\":2",
        endOfRight,
        "tree 0, left_child, right_child: missing");
    lightGbm(
        "\"threshold\":0.5,", "", root, "tree 0, node 0: found threshold NaN, expected a number");
  }

  @Test
  void lightGbmThresholds() {
    TreeEnsemble above = read(with(LIGHTGBM_DUMP, "\"threshold\":0.5", "\"threshold\":9e299"));
    assertEquals(4001, score(above, Float.MAX_VALUE, 0));
    assertEquals(4300, score(above, Float.POSITIVE_INFINITY, 0), "only 1e300 stands for infinity");
    TreeEnsemble below = read(with(LIGHTGBM_DUMP, "\"threshold\":0.5", "\"threshold\":-1e300"));
    assertEquals(4001, score(below, Float.NEGATIVE_INFINITY, 0));
    assertEquals(4300, score(below, -Float.MAX_VALUE, 0));
    String none = with(LIGHTGBM_DUMP, "\"missing_type\":\"NaN\"", "\"missing_type\":\"None\"");
    assertEquals(4001, score(read(none), Float.NaN, 0), "NaN is taken for 0");
    assertEquals(
        4001, score(read(with(none, "\"threshold\":0.5", "\"threshold\":0")), Float.NaN, 0));
    assertEquals(
        4300, score(read(with(none, "\"threshold\":0.5", "\"threshold\":-0.5")), Float.NaN, 0));
    String zero = with(LIGHTGBM_DUMP, "\"missing_type\":\"NaN\"", "\"missing_type\":\"Zero\"");
    zero = with(zero, "\"default_left\":true", "\"default_left\":false");
    assertEquals(4300, score(read(zero), 0, 0));
    assertEquals(4001, score(read(zero), -1, 0));
    TreeEnsemble sets = read(with(LIGHTGBM_DUMP, "1||33", "63||64||2097152"));
    for (int category : new int[] {63, 64, 2_097_152}) {
      assertEquals(4020, score(sets, 1, category));
      assertEquals(4300, score(sets, 1, category + 2));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.LIGHTGBM_DUMP;
import static io.quickscorer.reader.SmallModels.XGBOOST_DUMP;
import static io.quickscorer.reader.SmallModels.XGBOOST_DUMP_TEXT;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import org.junit.jupiter.api.Test;

/** XGBoost's and LightGBM's JSON dumps of nested nodes. */
final class DumpReadersTest {
  @Test
  void xgBoost() {
    TreeEnsemble ensemble = read(XGBOOST_DUMP);
    assertEquals(List.of("f0", "f1"), ensemble.featureNames());
    assertEquals("xgboost_dump_json", ensemble.source().format().label());
    assertEquals(List.of(XGBoostDump.NOTE, XGBoostDump.CLASSES_NOTE), ensemble.source().notes());
    assertEquals(4001, score(ensemble, 0f, Math.nextDown(0.5f)));
    assertEquals(4001, score(ensemble, 0f, Float.NaN));
    assertEquals(4300, score(ensemble, 33f, 0.5f));
    assertEquals(4020, score(ensemble, 2f, 0.5f));
    assertEquals(4020, score(ensemble, Float.NaN, 0.5f));
  }

  /** As XGBoost 0.72 writes the features of a model without names. */
  @Test
  void xgBoostSplitsByNumber() {
    TreeEnsemble ensemble = read(XGBOOST_DUMP);
    Ensembles.assertSame(ensemble, read(XGBOOST_DUMP.replaceAll("\"f([01])\"", "$1")));
    assertRefused(XGBOOST_DUMP.replaceAll("\"f([01])\"", "-1"), "split: -1, expected 0..");
    assertRefused(XGBOOST_DUMP.replaceAll("\"f([01])\"", "0.5"), "split: expected an integer");
  }

  @Test
  void xgBoostNamesInOrderOfOccurrence() {
    TreeEnsemble ensemble = read(with(XGBOOST_DUMP, "\"f1\"", "\"title score\""));
    assertEquals(List.of("title score", "f0"), ensemble.featureNames());
    assertEquals(4300, score(ensemble, 0.5f, 33f));
  }

  @Test
  void xgBoostWithObjective() {
    String model = "{\"objective\":\"binary:logistic\",\"splits\":" + XGBOOST_DUMP + "}";
    assertEquals(Kind.SIGMOID_FLOAT, read(model).transform().kind());
    assertEquals(List.of(XGBoostDump.NOTE), read(model).source().notes());
    assertRefused(with(model, "binary:logistic", "multi:softmax"), "multi-class");
  }

  @Test
  void xgBoostStatistics() {
    String model =
        XGBOOST_DUMP
            .replace("\"missing\": 1 ,", "\"missing\": 1 , \"gain\": 8.5, \"cover\": 9,")
            .replace("\"missing\": 3 ,", "\"missing\": 3 , \"gain\": -1, \"cover\": 7,")
            .replace("\"leaf\": 1 ", "\"leaf\": 1 , \"cover\": 2")
            .replace("\"leaf\": 20 ", "\"leaf\": 20 , \"cover\": 3.5")
            .replace("\"leaf\": 300 ", "\"leaf\": 300 , \"cover\": -4");
    NodeStatistics statistics = read(model).trees().get(0).statistics();
    assertEquals(8.5f, statistics.gain(0));
    assertEquals(-1f, statistics.gain(1));
    assertEquals(9, statistics.splitCover(0));
    assertEquals(7, statistics.splitCover(1));
    assertEquals(2, statistics.leafCover(0));
    assertEquals(-4, statistics.leafCover(1), "members go right, hence the children are exchanged");
    assertEquals(3.5, statistics.leafCover(2));
    for (String cover : List.of("9", "7", "2", "3.5", "-4")) {
      for (String none : List.of("\"x\": 0", "\"cover\": NaN")) {
        String partly = with(model, "\"cover\": " + cover, none);
        assertFalse(read(partly).trees().get(0).statistics().hasCovers(), partly);
        assertTrue(read(partly).trees().get(0).statistics().hasGains(), partly);
      }
    }
    for (String gain : List.of("8.5", "-1")) {
      String partly = with(model, "\"gain\": " + gain, "\"gain\": NaN");
      assertFalse(read(partly).trees().get(0).statistics().hasGains(), partly);
      assertTrue(read(partly).trees().get(0).statistics().hasCovers(), partly);
    }
    assertFalse(read(model).trees().get(1).statistics().hasCovers());
    assertRefused(with(model, "\"cover\": 2", "\"cover\": \"2\""), "cover: found a string");
    assertRefused(with(model, "\"gain\": -1", "\"gain\": []"), "gain: found an array");
  }

  @Test
  void xgBoostTraps() {
    assertRefused("[]", "byte ");
    assertRefused("[{\"title\": \"a list of documents\"}]", "not in a known model format");
    assertRefused("[ { \"leaf\" : []}]", "tree 0");
    assertRefused(
        with(
            XGBOOST_DUMP,
            "\"yes\": 1, \"no\": 2, \"missing\": 1",
            "\"yes\": 9, \"no\": 2, \"missing\": 9"),
        "tree 0, node 0: the child 9 does not exist");
    assertRefused(with(XGBOOST_DUMP, "\"yes\": 1, ", "\"yes\": 0, "), "tree 0");
    assertRefused(with(XGBOOST_DUMP, "\"yes\": 1, ", "\"yes\": 2, "), "tree 0");
    assertRefused(
        with(XGBOOST_DUMP, "\"missing\": 1", "\"missing\": 3"), "tree 0, node 0, field [missing]");
    assertRefused(
        with(XGBOOST_DUMP, "\"nodeid\": 4", "\"nodeid\": 3"),
        "nodeid: two nodes have the number 3");
    assertRefused(with(XGBOOST_DUMP, "\"nodeid\": 4, ", ""), "tree 0, nodeid: missing");
    assertRefused(with(XGBOOST_DUMP, "\"split_condition\": 0.5, ", ""), "node 0, split_condition");
    assertRefused(with(XGBOOST_DUMP, ", \"missing\": 1 ", ", \"missing\": {} "), "tree 0, missing");
    assertRefused(
        with(XGBOOST_DUMP, "\"leaf\": 1 ", "\"leaf\": [1, 2] "), "leaf: found several values");
    assertRefused(with(XGBOOST_DUMP, "\"leaf\": 1 ", "\"leaf\": 1e999 "), "leaf value Infinity");
    assertRefused(with(XGBOOST_DUMP, "\"leaf\": 1 ", "\"leaf\": 1, \"split\": \"f1\" "), "either");
    assertRefused(with(XGBOOST_DUMP, "[1, 33]", "[1, 2000000000]"), "split_condition");
    assertRefused(with(XGBOOST_DUMP, "\"f1\"", "\"f999999999\""), "feature f999999999");
    String deep = "{\"nodeid\":0,\"children\":[";
    assertRefused("[" + deep.repeat(100_000), "deep");
  }

  /** Above 0 is present, which is "yes"; 0, less and missing are absent. */
  @Test
  void xgBoostIndicators() {
    String model =
        with(XGBOOST_DUMP, "\"split_condition\": 0.5, \"yes\": 1, \"no\": 2, \"missing\": 1", "");
    model = with(model, "\"split\": \"f1\", ", "\"split\": \"f1\", \"no\": 1, \"yes\": 2");
    TreeEnsemble ensemble = read(model);
    assertEquals(
        List.of(XGBoostDump.NOTE, XGBoostDump.CLASSES_NOTE, XGBoostDump.INDICATORS_NOTE),
        ensemble.source().notes());
    for (float absent : new float[] {0, -0f, -1, Float.NaN}) {
      assertEquals(4001, score(ensemble, 1f, absent));
    }
    for (float present : new float[] {1, Float.MIN_VALUE, Float.POSITIVE_INFINITY}) {
      assertEquals(4300, score(ensemble, 1f, present));
    }
  }

  @Test
  void xgBoostText() {
    TreeEnsemble ensemble = read(XGBOOST_DUMP_TEXT);
    assertEquals(List.of("f1", "f0", "x y"), ensemble.featureNames());
    assertEquals("xgboost_dump_text", ensemble.source().format().label());
    assertEquals(54001, score(ensemble, Math.nextDown(0.5f), 0f, 0f));
    assertEquals(54001, score(ensemble, Float.NaN, 0f, Float.NaN));
    assertEquals(64300, score(ensemble, 0.5f, 33f, 1f));
    assertEquals(54020, score(ensemble, 0.5f, 2f, -1f));
    NodeStatistics statistics = ensemble.trees().get(0).statistics();
    assertEquals(7.5f, statistics.gain(0));
    assertEquals(9, statistics.splitCover(0));
    assertEquals(4, statistics.leafCover(0));
    for (String same :
        List.of(
            XGBOOST_DUMP_TEXT.replaceAll("booster.*\n", ""),
            XGBOOST_DUMP_TEXT.replace("]:\n", "]\n"),
            XGBOOST_DUMP_TEXT.replace("\n", "\r\n"),
            XGBOOST_DUMP_TEXT.replace("\t", "  "),
            XGBOOST_DUMP_TEXT
                .replace("r[2]", "r[3]")
                .replace("r[1]", "r[2]")
                .replace("r[0]", "r[1]"),
            XGBOOST_DUMP_TEXT.replace("booster[1]", "\nbooster[1]"))) {
      Ensembles.assertSame(ensemble, read(same));
    }
    String indexed = with(XGBOOST_DUMP_TEXT, "[x y]", "[f3]").replaceAll(",(gain|cover)=\\d.*", "");
    assertEquals(List.of("f0", "f1", "f2", "f3"), read(indexed).featureNames());
    assertFalse(read(indexed).trees().get(0).statistics().hasCovers());
    TreeEnsemble infinite = read(with(XGBOOST_DUMP_TEXT, "f1<0.5", "f1<inf"));
    assertEquals(54001, score(infinite, Float.MAX_VALUE, 0f, 0f));
  }

  @Test
  void xgBoostTextTraps() {
    String text = XGBOOST_DUMP_TEXT;
    String one = "tree 0, ";
    assertRefused(text.substring(0, text.length() - 1), "tree 2, the last line has no line feed");
    assertRefused("booster[0]:\n", "0 trees");
    assertRefused(with(text, "booster[1]", "booster[2]"), "booster[2]: expected booster[1]");
    assertRefused(with(text, "booster[1]", "booster[x]"), "booster: expected an integer");
    assertRefused(with(text, "booster[0]", "booster[1]"), "booster[1]: expected booster[2]");
    assertRefused(with(text, "booster[0]", "booster[2]"), "booster[2]: expected booster[1]");
    assertRefused(with(text, "\t1:leaf=1,", "\tx:leaf=1,"), one + "node: expected an integer");
    assertRefused(with(text, "\t1:leaf=1,", "\t1 leaf=1,"), one + "node: expected an integer");
    assertRefused(with(text, "\t1:leaf=1,", "\t1:leaf=[1,2],"), one + "leaf: found several values");
    assertRefused(with(text, "\t1:leaf=1,", "\t1:leaf=,"), one + "leaf: expected a number");
    assertRefused(with(text, "\t1:leaf=1,", "\t1:leaf=1e999,"), "leaf value Infinity");
    assertRefused(with(text, "\t1:leaf=1,", "\t1:left=1,"), "node 1: expected NAME=NUMBER");
    assertRefused(with(text, "\t1:leaf=1,", "\t3:leaf=1,"), "nodeid: two nodes have the number 3");
    assertRefused(
        with(text, "\t1:leaf=1,cover=4\n", ""), one + "node 0: the child 1 does not exist");
    assertRefused(
        with(text, "yes=1,no=2,missing=1", "yes=1,no=2,missing=3"), "node 0, field [missing]");
    assertRefused(
        with(text, "no=2,missing=1", "missing=1"), "node 0, expected the fields yes and no");
    assertRefused(with(text, "[f1<0.5]", "[f1]"), "node 0: expected a condition, such as");
    assertRefused(with(text, "[f1<0.5]", "[f1<x]"), "condition: expected a number");
    assertRefused(with(text, "[f1<0.5] yes", "[f1<0.5 yes"), "node 0: expected \"[...] yes=...\"");
    assertRefused(with(text, "{1,33}", "{1,x}"), "category: expected an integer");
    assertRefused(with(text, "{1,33}", "{1,2000000000}"), "split_condition: category");
    assertRefused("booster[0]:\nbias:\n0.5\n", "dumps of gblinear models are not supported");
    assertRefused("booster[0]:\n0:leaf=1\nweight:\n", "dumps of gblinear models are not supported");
  }

  @Test
  void lightGbm() {
    TreeEnsemble ensemble = read(LIGHTGBM_DUMP);
    assertEquals(List.of("a", "b"), ensemble.featureNames());
    assertEquals("lightgbm_json", ensemble.source().format().label());
    assertEquals(new OutputTransform(Kind.SIGMOID, 2.5), ensemble.transform());
    assertEquals(4001, score(ensemble, 0.5f, 0f));
    assertEquals(4001, score(ensemble, Float.NaN, 0f));
    assertEquals(4020, score(ensemble, 1f, 33f));
    assertEquals(4300, score(ensemble, 1f, Float.NaN));
    TreeEnsemble infinite = read(with(LIGHTGBM_DUMP, "\"threshold\":0.5", "\"threshold\":1e300"));
    assertEquals(4001, score(infinite, Float.POSITIVE_INFINITY, 0f));
    TreeEnsemble forest =
        read(with(LIGHTGBM_DUMP, "\"average_output\":false", "\"average_output\":true"));
    assertEquals(2, forest.transform().divisor());
  }

  @Test
  void lightGbmTraps() {
    assertRefused(with(LIGHTGBM_DUMP, "\"num_class\":1", "\"num_class\":3"), "num_class: 3");
    assertRefused(with(LIGHTGBM_DUMP, "\"split_feature\":0", "\"split_feature\":2"), "feature 2");
    assertRefused(with(LIGHTGBM_DUMP, "\"<=\"", "\"<\""), "tree 0, decision_type");
    assertRefused(with(LIGHTGBM_DUMP, "\"<=\"", "\"==\""), "tree 0, threshold");
    assertRefused(with(LIGHTGBM_DUMP, "\"1||33\"", "\"1||x\""), "byte ");
    assertRefused(with(LIGHTGBM_DUMP, "\"1||33\"", "\"1||2000000000\""), "category: 2000000000");
    assertRefused(
        with(LIGHTGBM_DUMP, "\"missing_type\":\"NaN\"", "\"missing_type\":\"?\""), "missing_type");
    assertRefused(
        with(LIGHTGBM_DUMP, "\"leaf_value\":1}", "\"leaf_value\":NaN}"), "leaf value NaN");
    assertRefused(
        with(LIGHTGBM_DUMP, "\"leaf_value\":1}", "\"leaf_value\":1,\"leaf_coeff\":[]}"), "linear");
    assertRefused(with(LIGHTGBM_DUMP, "\"leaf_value\":1}", "\"leaf_count\":1}"), "tree 0");
    assertRefused(
        with(LIGHTGBM_DUMP, "\"left_child\":{\"leaf_index\":0", "\"x\":{\"leaf_index\":0"),
        "missing");
    assertRefused(
        with(LIGHTGBM_DUMP, "\"tree_structure\":{\"leaf_value\":4000}", "\"x\":0"),
        "tree_structure");
    String deep = "{\"tree_info\":[{\"tree_structure\":" + "{\"left_child\":".repeat(100_000);
    assertRefused(deep, "deep");
  }

  @Test
  void deepChainsAreRefusedByTheirDepth() {
    int depth = 4_500;
    StringBuilder chain = new StringBuilder("[");
    for (int i = 0; i < depth; i++) {
      int node = 2 * i;
      chain.append("{\"nodeid\":").append(node).append(",\"split\":\"f0\",\"split_condition\":1,");
      chain.append("\"yes\":").append(node + 1).append(",\"no\":").append(node + 2);
      chain.append(",\"missing\":").append(node + 1).append(",\"children\":[{\"nodeid\":");
      chain.append(node + 1).append(",\"leaf\":1},");
    }
    chain.append("{\"nodeid\":").append(2 * depth).append(",\"leaf\":2}");
    chain.append("]}".repeat(depth)).append("]");
    assertRefused(chain.toString(), "tree 0: depth: 4500, at most 4096");
    assertTrue(chain.length() > depth);
  }
}

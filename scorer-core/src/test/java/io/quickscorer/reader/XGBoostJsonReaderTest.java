// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.XGBOOST;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class XGBoostJsonReaderTest {
  @Test
  void learnerFields() {
    TreeEnsemble ensemble = read(XGBOOST);
    assertEquals(List.of("f0", "f1"), ensemble.featureNames());
    assertEquals(Accumulator.FLOAT, ensemble.accumulator());
    assertEquals("xgboost_json", ensemble.source().format().label());
    assertEquals("3.4.0", ensemble.source().version());
    assertEquals("reg:squarederror", ensemble.source().objective());
  }

  @Test
  void splitsAndLeaves() {
    TreeEnsemble ensemble = read(XGBOOST);
    assertEquals(1.5, score(ensemble, Math.nextDown(0.5f), 0f));
    assertEquals(1.5, score(ensemble, Float.NaN, 0f), "missing goes by the default direction");
    assertEquals(300.5, score(ensemble, 0.5f, 1f), "members go right");
    assertEquals(300.5, score(ensemble, 0.5f, 33f));
    assertEquals(20.5, score(ensemble, 0.5f, 32f));
    assertEquals(20.5, score(ensemble, 0.5f, -0.5f), "negative is no category");
    assertEquals(20.5, score(ensemble, 0.5f, 16_777_216f));
    assertEquals(300.5, score(ensemble, 0.5f, Float.NaN));
  }

  @Test
  void coversAndGains() {
    String model = with(XGBOOST, "\"sum_hessian\":[1,1,1,1,1]", "\"sum_hessian\":[9,2,7,3.5,4]");
    model = with(model, "\"loss_changes\":[1,0,1,0,0]", "\"loss_changes\":[8,0,6.25,0,0]");
    NodeStatistics statistics = read(model).trees().get(0).statistics();
    assertEquals(9, statistics.splitCover(0));
    assertEquals(7, statistics.splitCover(1));
    assertEquals(2, statistics.leafCover(0));
    assertEquals(4, statistics.leafCover(1), "members go right, hence the children are exchanged");
    assertEquals(3.5, statistics.leafCover(2));
    assertEquals(8, statistics.gain(0));
    assertEquals(6.25f, statistics.gain(1));
    String absent = with(XGBOOST, "\"sum_hessian\":[1,1,1,1,1],", "");
    assertFalse(read(absent).trees().get(0).statistics().hasCovers());
    assertRefused(
        with(XGBOOST, "\"sum_hessian\":[1,", "\"sum_hessian\":["),
        "tree 0, sum_hessian: 4 elements, expected 5");
  }

  @Test
  void infiniteConditions() {
    TreeEnsemble below = read(with(XGBOOST, "[5E-1,1,0", "[Infinity,1,0"));
    assertEquals(1.5, score(below, Float.MAX_VALUE, 0f));
    assertEquals(20.5, score(below, Float.POSITIVE_INFINITY, 0f));
    TreeEnsemble above = read(with(XGBOOST, "[5E-1,1,0", "[-Infinity,1,0"));
    assertEquals(20.5, score(above, Float.NEGATIVE_INFINITY, 0f));
    assertEquals(1.5, score(above, Float.NaN, 0f));
  }

  /** R writes such splits of columns without numbers: nothing is less, missing goes its way. */
  @Test
  void conditionsThatAreNoNumber() {
    TreeEnsemble none = read(with(XGBOOST, "[5E-1,1,0", "[NaN,1,0"));
    assertEquals(20.5, score(none, Float.NEGATIVE_INFINITY, 0f));
    assertEquals(20.5, score(none, 0f, 0f));
    assertEquals(1.5, score(none, Float.NaN, 0f));
  }

  @Test
  void whatXGBoostWouldTakeForSomethingElse() {
    assertRefused(
        with(XGBOOST, "\"split_type\":[0,0,1,0,0],", ""),
        "tree 0, categories_nodes: split_type is missing");
    assertRefused(with(XGBOOST, "\"id\":0", "\"id\":1"), "tree 0, id: 1, expected 0");
  }

  @Test
  void earlyStopping() {
    String stopped = with(XGBOOST, "\"best_iteration\":\"0\"", "\"best_iteration\":\"%s\"");
    stopped = with(stopped, "\"tree_info\":[0]", "\"iteration_indptr\":%s,\"tree_info\":[0]");
    List<String> notes = read(stopped.formatted("0", "[0,1,1,1]")).source().notes();
    assertEquals(1, notes.size());
    assertTrue(notes.getFirst().contains("the first 1 of 3 iterations"), notes.getFirst());
    assertEquals(List.of(), read(stopped.formatted("2", "[0,1,1,1]")).source().notes());
    assertEquals(List.of(), read(stopped.formatted("-1", "[0,1]")).source().notes());
    assertEquals(List.of(), read(stopped.formatted("soon", "[0,1]")).source().notes());
  }

  /**
   * XGBoost 3.4.0 scores these by the right child, 1.7.6, 2.1.4 and 3.0.4 by the left one's plus 1.
   */
  @Test
  void childrenApart() {
    assertEquals(List.of(), read(XGBOOST).source().notes());
    String apart = with(XGBOOST, "[1,-1,3,-1,-1]", "[2,-1,3,-1,-1]");
    TreeEnsemble ensemble = read(with(apart, "[2,-1,4,-1,-1]", "[1,-1,4,-1,-1]"));
    assertEquals(1.5, score(ensemble, 0.5f, 1f));
    assertEquals(300.5, score(ensemble, 0, 1f));
    assertEquals(1, ensemble.source().notes().size());
    String note = ensemble.source().notes().getFirst();
    assertTrue(note.startsWith("in 1 of 1 trees, the number of a right child"), note);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5E-1", "[5E-1]", "0.5", "0.500000", "[0.5]"})
  void baseScoreSpellings(String spelling) {
    assertEquals(0.5, read(with(XGBOOST, "[5E-1]\"", spelling + "\"")).initialScore());
  }

  @ParameterizedTest
  @CsvSource({
    "reg:squarederror, 0.25, 0.25, IDENTITY",
    "reg:linear, -3, -3, IDENTITY",
    "binary:logitraw, -0.25, -0.25, IDENTITY",
    "rank:ndcg, 0.5, 0.5, IDENTITY",
    "binary:logistic, 0.5, -0.0, SIGMOID_FLOAT",
    "reg:logistic, 0.25, -1.0986123, SIGMOID_FLOAT",
    "count:poisson, 1, 0, EXP_FLOAT",
    "reg:gamma, 0.5, -0.6931472, EXP_FLOAT",
    "reg:tweedie, 2, 0.6931472, EXP_FLOAT",
    "binary:hinge, 0.5, 0.5, STEP"
  })
  void baseScoreAndLink(String objective, String base, float margin, Kind kind) {
    String model = with(with(XGBOOST, "reg:squarederror", objective), "[5E-1]\"", base + "\"");
    TreeEnsemble ensemble = read(model);
    assertEquals(margin, (float) ensemble.initialScore());
    assertEquals(kind, ensemble.transform().kind());
  }

  @Test
  void dartWeightsOfVersion3() {
    String model = with(XGBOOST, "\"tree_info\":[0]", "\"weight_drop\":[1E-1],\"tree_info\":[0]");
    assertEquals(0.5f + 300 * 0.1f, (float) score(read(model), 1f, 1f));
  }

  @Test
  void dartWeightsOfVersion2() {
    String model = with(XGBOOST, "\"gradient_booster\":{", "\"gradient_booster\":{\"gbtree\":{");
    model =
        with(
            model,
            "\"name\":\"gbtree\"}",
            "\"name\":\"gbtree\"},\"name\":\"dart\",\"weight_drop\":[1E-1]}");
    assertEquals(0.5f + 300 * 0.1f, (float) score(read(model), 1f, 1f));
  }

  @Test
  void featureNames() {
    String named = with(XGBOOST, "\"feature_names\":[]", "\"feature_names\":[\"a b\",\"ü\"]");
    assertEquals(List.of("a b", "ü"), read(named).featureNames());
    assertRefused(
        with(XGBOOST, "\"feature_names\":[]", "\"feature_names\":[\"a\"]"),
        "feature_names: found 1");
    assertRefused(
        with(XGBOOST, "\"feature_names\":[]", "\"feature_names\":[\"a\",\"a\"]"), "feature 1");
  }

  @Test
  void booleansAsDirections() {
    String model =
        with(
            XGBOOST,
            "\"default_left\":[1,0,0,0,0]",
            "\"default_left\":[true,false,false,false,false]");
    assertEquals(1.5, score(read(model), Float.NaN, 0f));
  }

  /** Pruning leaves slots behind that nothing refers to. */
  @Test
  void deletedNodes() {
    String model = with(XGBOOST, "[1,-1,3,-1,-1]", "[1,-1,-1,-1,-1]");
    model = with(model, "[2,-1,4,-1,-1]", "[2,-1,-1,-1,-1]");
    model =
        with(
            model,
            "\"split_indices\":[0,0,1,0,0]",
            "\"split_indices\":[0,0,0,2147483647,2147483647]");
    model = with(model, "\"split_type\":[0,0,1,0,0]", "\"split_type\":[0,0,0,0,0]");
    model =
        with(
            model,
            "\"categories\":[1,33],\"categories_nodes\":[2]",
            "\"categories\":[],\"categories_nodes\":[]");
    model =
        with(
            model,
            "\"categories_segments\":[0],\"categories_sizes\":[2]",
            "\"categories_segments\":[],\"categories_sizes\":[]");
    model = with(model, "[5E-1,1,0,20,300]", "[5E-1,1,7,20,300]");
    TreeEnsemble ensemble = read(model);
    assertEquals(2, ensemble.trees().getFirst().leaves());
    assertEquals(7.5, score(ensemble, 1f, 1f));
  }

  @Test
  void severalOutputs() {
    assertRefused(
        with(XGBOOST, "\"num_class\":\"0\"", "\"num_class\":\"3\""),
        "byte ",
        "num_class 3, reg:squarederror: several outputs",
        "K from 0 to 2");
    assertRefused(with(XGBOOST, "\"num_target\":\"1\"", "\"num_target\":\"2\""), "num_target 2");
    assertRefused(
        with(XGBOOST, "\"tree_info\":[0]", "\"tree_info\":[1]"),
        "tree_info: tree 0 belongs to output 1");
    assertRefused(with(XGBOOST, "[5E-1]\"", "[5E-1,5E-1]\""), "base_score: found 2 numbers");
    assertRefused(
        with(XGBOOST, "leaf_vector\":\"1\"", "leaf_vector\":\"3\""),
        "tree 0",
        "leaves have several values");
    assertRefused(with(XGBOOST, "reg:squarederror", "multi:softprob"), "multi-class");
  }

  @Test
  void unsupportedKinds() {
    assertRefused(
        with(XGBOOST, "\"name\":\"gbtree\"", "\"name\":\"gblinear\""),
        "gblinear, but it has no weights");
    assertRefused(with(XGBOOST, "reg:squarederror", "custom"), "objective");
  }

  @Test
  void baseScores() {
    assertRefused(with(XGBOOST, "[5E-1]\"", "x\""), "base_score");
    assertRefused(with(XGBOOST, "[5E-1]\"", "[]\""), "base_score");
    assertRefused(with(XGBOOST, "[5E-1]\"", "NaN\""), "base_score");
    String logistic = with(XGBOOST, "reg:squarederror", "binary:logistic");
    assertRefused(with(logistic, "[5E-1]\"", "2\""), "base_score: 2.0, expected a probability");
    String poisson = with(XGBOOST, "reg:squarederror", "count:poisson");
    assertRefused(with(poisson, "[5E-1]\"", "-1\""), "base_score: -1.0");
    assertRefused(with(poisson, "[5E-1]\"", "0\""), "base_score: 0.0");
  }

  @Test
  void arrayLengths() {
    assertRefused(
        with(XGBOOST, "\"num_nodes\":\"5\"", "\"num_nodes\":\"2147483647\""),
        "tree 0",
        "num_nodes");
    assertRefused(
        with(XGBOOST, "\"num_nodes\":\"5\"", "\"num_nodes\":\"-1\""), "tree 0", "num_nodes");
    assertRefused(
        with(XGBOOST, "[5E-1,1,0,20,300]", "[5E-1,1,0,20]"),
        "split_conditions: 4 elements, expected 5");
    assertRefused(
        with(XGBOOST, "\"default_left\":[1,0,0,0,0]", "\"default_left\":[1,0,0,0]"),
        "default_left");
    assertRefused(with(XGBOOST, "[2,-1,4,-1,-1]", "[]"), "right_children");
  }

  @Test
  void values() {
    assertRefused(
        with(XGBOOST, "[5E-1,1,0", "[1,NaN,0"), "byte ", "tree 0, node 1: leaf value NaN");
    assertRefused(
        with(XGBOOST, "[5E-1,1,0", "[1,Infinity,0"), "tree 0, node 1: leaf value Infinity");
    assertRefused(with(XGBOOST, "[5E-1,1,0", "[1,1e999,0"), "tree 0, node 1: leaf value Infinity");
    assertRefused(
        with(XGBOOST, "[5E-1,1,0", "[\"5E-1\",1,0"), "tree 0, split_conditions: found a string");
    assertRefused(with(XGBOOST, "[5E-1,1,0", "[" + "1".repeat(1000) + ",1,0"), "byte ");
    assertRefused(
        with(XGBOOST, "\"num_feature\":\"2\",\"num_t", "\"num_feature\":\"4000000000\",\"num_t"),
        "num_feature");
  }

  @Test
  void nodes() {
    assertRefused(with(XGBOOST, "[1,-1,3,-1,-1]", "[1,-1,5,-1,-1]"), "tree 0, node 2", "child 5");
    assertRefused(with(XGBOOST, "[1,-1,3,-1,-1]", "[1,-1,-2,-1,-1]"), "tree 0, left_children");
    assertRefused(with(XGBOOST, "[1,-1,3,-1,-1]", "[1,-1,4,-1,-1]"), "tree 0");
    assertRefused(with(XGBOOST, "[1,-1,3,-1,-1]", "[1,-1,0,-1,-1]"), "tree 0, node 2: child 0");
    assertRefused(with(XGBOOST, "[1,-1,3,-1,-1]", "[1,-1,-1,-1,-1]"), "node 2: found one child");
    assertRefused(
        with(XGBOOST, "[2147483647,0,0,2,2]", "[2147483647,0,0,1,2]"), "tree 0, node 2: child 3");
    assertRefused(with(XGBOOST, "[2147483647,0,0,2,2]", "[1,0,0,2,2]"), "parents");
    assertRefused(
        with(XGBOOST, "\"split_indices\":[0,0,1", "\"split_indices\":[2,0,1"),
        "feature 2, expected 0..1");
    assertRefused(
        with(XGBOOST, "\"split_indices\":[0,0,1", "\"split_indices\":[0,0,2147483647"), "node 2");
  }

  @Test
  void categories() {
    assertRefused(
        with(XGBOOST, "\"categories_nodes\":[2]", "\"categories_nodes\":[5]"), "categories_nodes");
    assertRefused(
        with(XGBOOST, "\"categories_nodes\":[2]", "\"categories_nodes\":[0]"),
        "categories_nodes contains the node");
    assertRefused(
        with(XGBOOST, "\"categories_sizes\":[2]", "\"categories_sizes\":[3]"),
        "segment 0 ends at 3, but there are 2");
    assertRefused(
        with(XGBOOST, "\"categories_sizes\":[2]", "\"categories_sizes\":[]"), "categories_sizes");
    assertRefused(
        with(XGBOOST, "\"categories\":[1,33]", "\"categories\":[1,2000000000]"),
        "category: 2000000000, at most 16777216 allowed");
    assertRefused(with(XGBOOST, "\"categories\":[1,33]", "\"categories\":[1,-1]"), "categories");
  }

  @Test
  void documents() {
    assertRefused("{}", "byte ");
    assertRefused("{\"a\":\"1\"}", "not in a known model format");
    assertRefused("{\"learner\":{}}", "num_feature: missing");
    assertRefused(XGBOOST + "1", "byte ");
    assertRefused("\ufeff" + XGBOOST, "byte 0");
    assertRefused(with(XGBOOST, "\"id\":0", "\"id\":0,\"id\":0"), "byte ");
    assertRefused(with(XGBOOST, "\"id\":0", "\"id\":" + "[".repeat(100_000)), "byte ");
    assertRefused(with(XGBOOST, "\"id\":0", "\"id\":" + "{\"a\":".repeat(100_000)), "byte ");
    assertRefused(with(XGBOOST, "\"trees\":[", "\"trees\":[{},"), "tree 0");
    assertRefused(with(XGBOOST, "\"trees\":[", "\"trees\":[],\"x\":["), "0 trees");
  }
}

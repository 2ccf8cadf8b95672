// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.LIGHTGBM_DUMP;
import static io.quickscorer.reader.SmallModels.XGBOOST;
import static io.quickscorer.reader.SmallModels.XGBOOST_DUMP;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.assertRefusedAt;
import static io.quickscorer.reader.SmallModels.bytes;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.refusal;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Refusals of XGBoost's JSON to the byte, and what is just within bounds. */
final class XGBoostJsonPlacesTest {
  private static final EnsembleLimits ONE_TREE = new EnsembleLimits(1, 10, 10, 10, 100, 100);

  /** Categories may be as large as an int. */
  private static final EnsembleLimits LARGE_CATEGORIES =
      new EnsembleLimits(10, 10, 10, 10, 100, Integer.MAX_VALUE);

  private static final int LARGE = 600_000_000;

  private static void xgBoost(String old, String replacement, String place, String message) {
    assertRefusedAt(with(XGBOOST, old, replacement), place, message);
  }

  private static void dump(String old, String replacement, String place, String message) {
    assertRefusedAt(with(XGBOOST_DUMP, old, replacement), place, message);
  }

  /**
   * Sets take memory for their members, however large these are. To XGBoost a value from 2^24 on is
   * in no set.
   */
  @Test
  void largeCategories() {
    int last = (1 << 24) - 1;
    largeCategories(with(LIGHTGBM_DUMP, "1||33", "1||" + LARGE), LARGE);
    for (int beyond : new int[] {last + 1, LARGE}) {
      String members = last + "," + beyond;
      largeCategories(
          with(XGBOOST, "\"categories\":[1,33],", "\"categories\":[1," + members + "],")
              .replace("\"categories_sizes\":[2]", "\"categories_sizes\":[3]"),
          last);
      largeCategories(with(XGBOOST_DUMP, "[1, 33]", "[1, " + members + "]"), last);
    }
  }

  private static void largeCategories(String file, int largest) {
    TreeEnsemble ensemble = ModelReader.read(bytes(file), ModelFormat.AUTO, LARGE_CATEGORIES);
    CategorySet set =
        ensemble.trees().stream()
            .flatMap(tree -> IntStream.range(0, tree.splits()).mapToObj(tree::categories))
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow();
    assertArrayEquals(new int[] {1, largest}, set.categories());
    assertEquals(2, set.words().length);
  }

  @Test
  void xgBoostLearner() {
    xgBoost(
        "\"num_class\":\"0\"",
        "\"num_class\":\"2\"",
        "\"2\",\"num_feature",
        "num_class 2, reg:squarederror: several outputs; choose one with ?output=K / --output-index"
            + " K, K from 0 to 1");
    xgBoost(
        "\"tree_info\":[0]",
        "\"tree_info\":[0,3]",
        "],\"trees",
        "tree_info: tree 1 belongs to output 3, expected 0..0");
    xgBoost(
        "[5E-1]\"",
        "[,5E-1]\"",
        "\"[,5E-1]\"",
        "base_score: found 2 numbers, but the model has 1 outputs");
    xgBoost("[5E-1]\"", "[5E-1\"", "\"[5E-1\"", "base_score: expected a number");
    xgBoost("[5E-1]\"", "5E-1]\"", "\"5E-1]\"", "base_score: expected a number");
    xgBoost(
        "[5E-1]\"",
        "[inf]\"",
        "\"[inf]\"",
        "base_score: Infinity has no finite raw score for this objective");
    xgBoost(
        "\"reg:squarederror\"",
        "\"reg:best\"",
        "\"reg:best\"",
        "objective: XGBoost has no such objective");
    xgBoost(
        "\"name\":\"gbtree\"}",
        "\"name\":\"gbtree\",\"gbtree\":{\"model\":{}}}",
        "{}}}",
        "model: found two models, expected one");
    xgBoost(
        "\"tree_info\":[0]",
        "\"weight_drop\":[1],\"weight_drop_\":[],\"tree_info\":[1]",
        "],\"trees",
        "tree_info: tree 0 belongs to output 1, expected 0..0");
    assertEquals("1.2.3", read(with(XGBOOST, "[3,4,0]", "[1,2,3,4]")).source().version());
    assertEquals("1.2", read(with(XGBOOST, "[3,4,0]", "[1,2]")).source().version());
    String two = with(XGBOOST, "\"tree_info\":[0]", "\"weight_drop\":[1,1],\"tree_info\":[0]");
    assertTrue(
        refusal(two, EnsembleLimits.DEFAULT)
            .endsWith(": weight_drop: found 2 weights, but the model has 1 trees"));
    String twice = with(XGBOOST, "\"tree_info\":[0]", "\"weight_drop\":[1],\"tree_info\":[0]");
    assertRefusedAt(
        with(twice, "\"name\":\"gbtree\"}", "\"name\":\"gbtree\",\"weight_drop\":[1]}"),
        "[1]}",
        "weight_drop: found two lists of weights, expected one");
    String unnamed = with(XGBOOST, "\"name\":\"gbtree\"}", "\"x\":[]}");
    assertEquals(1.5, score(read(unnamed), 0, 0));
  }

  @Test
  void baseScoresAtTheEndsOfProbability() {
    String logistic = with(XGBOOST, "reg:squarederror", "binary:logistic");
    float least = -(float) Math.log(1f / 1e-6f - 1f);
    assertEquals(least, read(with(logistic, "[5E-1]\"", "0\"")).initialScore());
    float most = -(float) Math.log(1f / (1f - 1e-6f) - 1f);
    assertEquals(most, read(with(logistic, "[5E-1]\"", "1\"")).initialScore());
    assertTrue(least < -13 && most > 13);
  }

  @Test
  void noFeatures() {
    String constant =
        with(XGBOOST, "\"num_feature\":\"2\",\"num_t", "\"num_feature\":\"0\",\"num_t");
    assertRefusedAt(constant, "{\"base_weights", "tree 0, node 0: feature 0, expected 0..-1");
  }

  @Test
  void xgBoostTrees() {
    String end = "}]},\n\"name\":\"gbtree\"";
    xgBoost(
        "\"num_nodes\":\"5\"",
        "\"num_nodes\":\"6\"",
        end,
        "tree 0, left_children: 5 elements, but num_nodes is 6");
    assertEquals(1.5, score(read(with(XGBOOST, "\"num_nodes\":\"5\"", "\"x\":\"5\"")), 0, 0));
    xgBoost(
        "\"trees\":[",
        "\"trees\":[{},",
        "},{\"base",
        "tree 0, left_children: 0 elements, but num_nodes is 1");
    xgBoost(
        "leaf_vector\":\"1\"",
        "leaf_vector\":\"2\"",
        "\"2\"}}]}",
        "tree 0, size_leaf_vector: 2, but trees whose leaves have several values (multi-target) are"
            + " not supported");
    xgBoost(
        "[2147483647,0,0,2,2]",
        "[0,0,0,2,2]",
        end,
        "tree 0, parents: the root has parent 0, expected none");
    assertEquals(1.5, score(read(with(XGBOOST, "[2147483647,0,0,2,2]", "[-1,0,0,2,2]")), 0, 0));
    assertEquals(1.5, score(read(with(XGBOOST, "[2147483647,0,0,2,2]", "[]")), 0, 0));
    xgBoost("[2147483647,0,0,2,2]", "[-1,0,0,2]", end, "tree 0, parents: 4 elements, expected 5");
    xgBoost("[1,-1,3,-1,-1]", "[1,-1,5,-1,-1]", end, "tree 0, node 2: child 5 has another parent");
    xgBoost(
        "\"sum_hessian\":[1,",
        "\"sum_hessian\":[",
        end,
        "tree 0, sum_hessian: 4 elements, expected 5");
    xgBoost(
        "\"loss_changes\":[1,",
        "\"loss_changes\":[",
        end,
        "tree 0, loss_changes: 4 elements, expected 5");
    xgBoost(
        "\"split_type\":[0,",
        "\"split_type\":[",
        end,
        "tree 0, split_type: 4 elements, expected 5");
    xgBoost(
        "\"default_left\":[1,",
        "\"default_left\":[",
        end,
        "tree 0, default_left: 4 elements, expected 5");
    xgBoost(
        "\"split_indices\":[0,",
        "\"split_indices\":[",
        end,
        "tree 0, split_indices: 4 elements, expected 5");
    xgBoost(
        "\"split_indices\":[0,0,1",
        "\"split_indices\":[0,0,2",
        "{\"base_weights",
        "tree 0, node 2: feature 2, expected 0..1");
    String tree = XGBOOST.substring(XGBOOST.indexOf("{\"base_weights"), XGBOOST.indexOf(end) + 1);
    String three = with(XGBOOST, "\"trees\":[", "\"trees\":[" + tree + ",");
    three = with(three, tree + "]", with(tree, "\"id\":0", "\"id\":1") + "]");
    three = with(three, "\"num_trees\":\"1\"", "\"num_trees\":\"2\"");
    three = with(three, "\"tree_info\":[0]", "\"tree_info\":[0,0]");
    assertEquals(2.5, score(read(three), 0, 0));
    assertRefusedAt(
        with(three, "\"trees\":[" + tree, "\"trees\":[" + tree + " "),
        with(tree, "\"id\":0", "\"id\":1") + "]}",
        "trees: 2, at most 1 allowed",
        ONE_TREE);
  }

  /** What tells the number of trees besides the trees; XGBoost refuses what disagrees. */
  @Test
  void xgBoostTreeCounts() {
    for (int count : new int[] {0, 2}) {
      assertRefused(
          with(XGBOOST, "\"num_trees\":\"1\"", "\"num_trees\":\"" + count + "\""),
          "num_trees: " + count + ", but the model has 1 trees");
    }
    assertRefused(
        with(XGBOOST, "\"tree_info\":[0]", "\"tree_info\":[0,0]"),
        "tree_info: 2 elements, but the model has 1 trees");
    assertRefused(
        with(XGBOOST, "\"tree_info\":[0]", "\"tree_info\":[]"),
        "tree_info: 0 elements, but the model has 1 trees");
    assertRefused(
        with(XGBOOST, "\"tree_info\":[0]", "\"tree_info\":[0],\"iteration_indptr\":[0,2]"),
        "iteration_indptr: ends at 2, but the model has 1 trees");
    String right =
        with(XGBOOST, "\"tree_info\":[0]", "\"tree_info\":[0],\"iteration_indptr\":[0,1]");
    assertEquals(1.5, score(read(right), 0, 0));
  }

  @Test
  void xgBoostSets() {
    String end = "}]},\n\"name\":\"gbtree\"";
    xgBoost(
        "\"categories_nodes\":[2]",
        "\"categories_nodes\":[5]",
        end,
        "tree 0, categories_nodes: element 0 is 5, expected each node 0..4 at most once");
    xgBoost(
        "\"categories_nodes\":[2]",
        "\"categories_nodes\":[0]",
        end,
        "tree 0, node 0: split_type is 0, but categories_nodes contains the node");
    xgBoost(
        "\"categories_sizes\":[2]",
        "\"categories_sizes\":[3]",
        end,
        "tree 0, categories_segments: segment 0 ends at 3, but there are 2 categories");
    xgBoost(
        "\"categories_segments\":[0]",
        "\"categories_segments\":[1]",
        end,
        "tree 0, categories_segments: segment 0 ends at 3, but there are 2 categories");
    xgBoost(
        "\"categories_sizes\":[2]",
        "\"categories_sizes\":[]",
        end,
        "tree 0, categories_segments, categories_sizes: 1 and 0 elements, expected 1 each");
    xgBoost(
        "\"categories\":[1,33]",
        "\"categories\":[1,-1]",
        "-1],\"categories_nodes",
        "tree 0, categories: -1, expected 0..2147483647");
    TreeEnsemble edges = read(with(XGBOOST, "\"categories\":[1,33]", "\"categories\":[63,64]"));
    assertEquals(300.5, score(edges, 1, 63));
    assertEquals(300.5, score(edges, 1, 64));
    assertEquals(20.5, score(edges, 1, 62));
    assertEquals(20.5, score(edges, 1, 65));
    String last = with(XGBOOST, "\"categories_segments\":[0]", "\"categories_segments\":[1]");
    TreeEnsemble second = read(with(last, "\"categories_sizes\":[2]", "\"categories_sizes\":[1]"));
    assertEquals(20.5, score(second, 1, 1));
    assertEquals(300.5, score(second, 1, 33));
    xgBoost(
        "\"split_type\":[0,0,1,0,0]",
        "\"split_type\":[]",
        end,
        "tree 0, categories_nodes: split_type is missing");
  }

  @Test
  void dumps() {
    String root = "{ \"nodeid\": 0, \"depth\": 0";
    dump("\"nodeid\": 4, ", "", "}\n    ]}", "tree 0, nodeid: missing");
    dump(
        "\"leaf\": 300",
        "\"x\": 300",
        "}\n    ]}",
        "tree 0, node 4, expected either a leaf or a split");
    dump(
        "\"split_condition\": 0.5, ",
        "",
        "},\n  { \"nodeid\": 0, \"leaf\"",
        "tree 0, node 0, split_condition: missing");
    dump(
        "\"yes\": 1, \"no\": 2, ",
        "\"yes\": 1, ",
        "},\n  { \"nodeid\": 0, \"leaf\"",
        "tree 0, node 0, expected the fields yes and no");
    dump(
        "\"yes\": 1, \"no\": 2, ",
        "\"no\": 2, ",
        "},\n  { \"nodeid\": 0, \"leaf\"",
        "tree 0, node 0, expected the fields yes and no");
    dump(
        "\"missing\": 1 ",
        "\"missing\": 3 ",
        "},\n  { \"nodeid\": 0, \"leaf\"",
        "tree 0, node 0, field [missing]: expected the id of one of the two children");
    dump(
        "\"nodeid\": 4",
        "\"nodeid\": 3",
        "},\n  { \"nodeid\": 0, \"leaf\"",
        "tree 0, nodeid: two nodes have the number 3");
    dump(
        "\"yes\": 1, \"no\": 2, \"missing\": 1",
        "\"yes\": 9, \"no\": 2, \"missing\": 9",
        root,
        "tree 0, node 0: the child 9 does not exist");
    dump(
        "\"leaf\": 4000",
        "\"leaf\": 1e999",
        "{ \"nodeid\": 0, \"leaf\"",
        "tree 1, node 0: leaf value Infinity, expected a finite number");
    dump(
        "[1, 33]",
        "[1, 16777217]",
        "], \"yes\": 4",
        "tree 0, split_condition: category: 16777217, at most 16777216 allowed");
    dump(
        "[1, 33]",
        "[1, -1]",
        "-1], \"yes\": 4",
        "tree 0, split_condition: -1, expected 0..2147483647");
    assertRefusedAt(
        XGBOOST_DUMP, "{ \"nodeid\": 0, \"leaf\"", "trees: 2, at most 1 allowed", ONE_TREE);
    TreeEnsemble edges = read(with(XGBOOST_DUMP, "[1, 33]", "[63, 64]"));
    assertEquals(4300, score(edges, 63, 1));
    assertEquals(4300, score(edges, 64, 1));
    assertEquals(4020, score(edges, 65, 1));
  }

  @Test
  void namesOfDumps() {
    String[] own = {"f01", "f-1", "f", "g1", "f1x", "f1234567890"};
    for (String name : own) {
      TreeEnsemble ensemble = read(with(XGBOOST_DUMP, "\"f1\"", "\"" + name + "\""));
      assertEquals(List.of(name, "f0"), ensemble.featureNames());
      assertEquals(4001, score(ensemble, 0, 0));
    }
    TreeEnsemble third = read(with(XGBOOST_DUMP, "\"f1\"", "\"f2\""));
    assertEquals(List.of("f0", "f1", "f2"), third.featureNames());
    assertEquals(4300, score(third, 33, 9, 1));
    EnsembleLimits three = new EnsembleLimits(10, 10, 10, 3, 100, 100);
    assertEquals(
        3,
        ModelReader.read(bytes(with(XGBOOST_DUMP, "\"f1\"", "\"f2\"")), ModelFormat.AUTO, three)
            .featureNames()
            .size());
    assertTrue(
        refusal(with(XGBOOST_DUMP, "\"f1\"", "\"f3\""), three)
            .endsWith("feature f3: features: 4, at most 3 allowed"));
    EnsembleLimits one = new EnsembleLimits(10, 10, 10, 1, 100, 100);
    assertRefusedAt(XGBOOST_DUMP, "\"f0\"", "tree 0, split: features: 2, at most 1 allowed", one);
  }
}

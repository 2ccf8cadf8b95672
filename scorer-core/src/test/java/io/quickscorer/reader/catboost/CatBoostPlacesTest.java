// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import static io.quickscorer.reader.SmallModels.CATBOOST;
import static io.quickscorer.reader.SmallModels.assertRefusedAt;
import static io.quickscorer.reader.SmallModels.bytes;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.refusal;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Refusals of CatBoost's JSON to the byte, and what is just within bounds. */
final class CatBoostPlacesTest {
  private static final String END_OF_FEATURES = "}]},\n\"model_info";
  private static final String END_OF_TREES = "}],\n\"scale";
  private static final String TREE = "{\"leaf_values\"";

  private static void edited(String old, String replacement, String place, String message) {
    assertRefusedAt(with(CATBOOST, old, replacement), place, message);
  }

  @Test
  void documents() {
    assertTrue(
        refusal(with(CATBOOST, "\"oblivious_trees\"", "\"x\""), EnsembleLimits.DEFAULT)
            .endsWith(": oblivious_trees: missing"));
    edited(
        "\"scale_and_bias\"",
        "\"trees\":[],\"scale_and_bias\"",
        "[],\"scale_and_bias\"",
        "trees: the file has two lists of trees, expected one");
    String numbers = "only numbers and categories are supported";
    Map<String, String> refused = Map.of("text_features", numbers, "embedding_features", numbers);
    for (Map.Entry<String, String> entry : refused.entrySet()) {
      String kind = entry.getKey();
      String none =
          with(CATBOOST, "{\"float_features\"", "{\"" + kind + "\":[],\"float_features\"");
      assertEquals(9, score(read(none), 0, 0));
      assertRefusedAt(
          with(none, "\"" + kind + "\":[]", "\"" + kind + "\":[{}]"),
          "{}],",
          kind + ": " + entry.getValue());
    }
  }

  @Test
  void features() {
    edited(
        "\"feature_index\":1",
        "\"feature_index\":0",
        END_OF_FEATURES,
        "features must be in ascending order: found number 0, expected 1 or more");
    edited(
        "\"AsIs\"",
        "\"AsIf\"",
        END_OF_FEATURES,
        "nan_value_treatment: expected AsIs, AsFalse or AsTrue");
    assertEquals(
        List.of("0", "c"),
        read(with(CATBOOST, "\"feature_id\":\"b\"", "\"feature_name\":\"c\"")).featureNames());
    EnsembleLimits one = new EnsembleLimits(10, 10, 10, 1, 100, 10);
    assertRefusedAt(CATBOOST, END_OF_FEATURES, "features: 2, at most 1 allowed", one);
    for (String treatment : List.of("AsIs", "AsFalse")) {
      TreeEnsemble lowest = read(with(CATBOOST, "\"AsTrue\"", "\"" + treatment + "\""));
      assertEquals(2 * 1 + 7, score(lowest, Float.NaN, 0));
    }
  }

  @Test
  void scaleAndBias() {
    edited("[2,[7]]", "[2,[7,8]]", "]}\n", "scale_and_bias: found 2 biases, expected 1");
    edited("[2,[7]]", "[2]", "]}\n", "scale_and_bias: found 1 elements, expected 2");
    edited("[2,[7]]", "[2,[7],3]", "]}\n", "scale_and_bias: found 3 elements, expected 2");
    assertEquals(9, score(read(with(CATBOOST, "[2,[7]]", "[2,7]")), 0, 0));
    assertEquals(2, score(read(with(CATBOOST, "[2,[7]]", "[2,[]]")), 0, 0));
    assertEquals(1, score(read(with(CATBOOST, ",\n\"scale_and_bias\":[2,[7]]", "")), 0, 0));
  }

  @Test
  void trees() {
    edited(
        "[1,20,300,4000]",
        "[1,20,300]",
        END_OF_TREES,
        "tree 0, leaf_values: found 3 values, expected 4 (leaves) times the number of outputs");
    edited(
        "\"border\":2.5,",
        "",
        "},\n{\"border\":0.5",
        "tree 0, split: expected float_feature_index and border, or cat_feature_index and"
            + " value");
    edited(
        "\"float_feature_index\":1,",
        "",
        "},\n{\"border\":0.5",
        "tree 0, split: expected float_feature_index and border, or cat_feature_index and"
            + " value");
    edited(
        "\"FloatFeature\"},\n",
        "\"OnlineCtr\"},\n",
        TREE,
        "tree 0, node 1: split 1 is on a CTR, but the file has 0 splits on CTRs, whose numbers"
            + " begin at 2");
    edited(
        "\"FloatFeature\"},\n",
        "\"Estimated\"},\n",
        "\"Estimated\"",
        "tree 0, split_type: only splits of numbers and categories are supported");
    edited(
        "\"float_feature_index\":1",
        "\"float_feature_index\":2",
        TREE,
        "tree 0, node 1: float feature 2, expected 0..1");
    edited(
        "\"border\":2.5",
        "\"border\":NaN",
        TREE,
        "tree 0, node 1: found threshold NaN, expected a number");
    edited("4000]", "NaN]", TREE, "tree 0, node 6: leaf value NaN, expected a finite number");
  }

  @Test
  void depth() {
    String split = "{\"border\":2.5,\"float_feature_index\":1,\"split_type\":\"FloatFeature\"},";
    String deep = with(CATBOOST, "\"splits\":[", "\"splits\":[" + split.repeat(14));
    String leaves = "0,".repeat(65_535) + "5";
    TreeEnsemble sixteen = read(with(deep, "1,20,300,4000", leaves));
    assertEquals(65_536, sixteen.trees().getFirst().leaves());
    assertEquals(2 * 5 + 7, score(sixteen, 1, 3));
    String deeper = with(CATBOOST, "\"splits\":[", "\"splits\":[" + split.repeat(15));
    assertRefusedAt(
        deeper, "{\"border\":0.5", "tree 0, splits: more than 16 splits are not supported");
  }

  @Test
  void limits() {
    String tree = CATBOOST.substring(CATBOOST.indexOf(TREE), CATBOOST.indexOf(END_OF_TREES) + 1);
    String two = with(CATBOOST, tree, tree + "," + tree.replace(":[1,20", ":[2,20"));
    String second = "{\"leaf_values\":[2";
    assertEquals(2 * 3 + 7, score(read(two), 0, 0));
    assertRefusedAt(
        two, second, "trees: 2, at most 1 allowed", new EnsembleLimits(1, 9, 9, 9, 99, 9));
    assertRefusedAt(
        two,
        second,
        "nodes of all trees: 14, at most 13 allowed",
        new EnsembleLimits(9, 9, 9, 9, 13, 9));
    EnsembleLimits tight = new EnsembleLimits(2, 4, 2, 2, 14, 0);
    assertEquals(13, score(ModelReader.read(bytes(two), ModelFormat.AUTO, tight), 0, 0));
  }
}

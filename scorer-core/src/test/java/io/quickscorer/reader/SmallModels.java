// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;

/** Hand-written models of three leaves or fewer, and what tests do with them. */
public final class SmallModels {
  /**
   * LightGBM 2.0.4: left of 0.5 on feature a, but for zeros, is leaf 1; then category 3 of feature
   * b is leaf 20, else 300; the other tree is a leaf, which counts as 0.
   */
  public static final String LIGHTGBM_OLD =
      """
      tree
      num_class=1
      num_tree_per_iteration=1
      label_index=0
      max_feature_idx=1
      objective=regression
      feature_names=a b
      feature_infos=[0:1] 0:3

      Tree=0
      num_leaves=3
      split_feature=0 1
      split_gain=2 1
      threshold=0.5 3
      decision_type=0 1
      default_value=2 0
      left_child=-1 -2
      right_child=1 -3
      leaf_parent=0 1 1
      leaf_value=1 20 300
      leaf_count=1 1 1
      shrinkage=1
      has_categorical=1


      Tree=1
      num_leaves=1
      default_value=
      leaf_value=4000
      shrinkage=1
      has_categorical=0


      feature importances:
      """;

  /**
   * Left of 0.5 on feature a is leaf 1; then category 1 or 33 of feature b is leaf 20, else 300.
   */
  public static final String LIGHTGBM =
      """
      tree
      version=v4
      num_class=1
      num_tree_per_iteration=1
      label_index=0
      max_feature_idx=1
      objective=binary sigmoid:2.5
      feature_names=a b
      feature_infos=[0:1] 0:1:33

      Tree=0
      num_leaves=3
      num_cat=1
      split_feature=0 1
      split_gain=2 1
      threshold=0.5 0
      decision_type=10 1
      left_child=-1 -2
      right_child=1 -3
      leaf_value=1 20 300
      leaf_weight=1 1 1
      leaf_count=1 1 1
      internal_value=0 0
      internal_weight=0 0
      internal_count=3 2
      cat_boundaries=0 2
      cat_threshold=2 2
      is_linear=0
      shrinkage=1


      Tree=1
      num_leaves=1
      num_cat=0
      split_feature=
      leaf_value=4000
      shrinkage=1


      end of trees

      feature_importances:
      a=1

      parameters:
      [boosting: gbdt]
      end of parameters

      pandas_categorical:null
      """;

  /** Below 0.5 on f0, or missing, is leaf 1; category 1 or 33 of f1 is leaf 300, else 20. */
  public static final String XGBOOST =
      """
      {"learner":{"attributes":{"best_iteration":"0"},"feature_names":[],"feature_types":["float","c"],
      "gradient_booster":{"model":{"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"1"},
      "tree_info":[0],"trees":[{"base_weights":[9,9,9,9,9],"categories":[1,33],"categories_nodes":[2],
      "categories_segments":[0],"categories_sizes":[2],"default_left":[1,0,0,0,0],"id":0,
      "left_children":[1,-1,3,-1,-1],"loss_changes":[1,0,1,0,0],"parents":[2147483647,0,0,2,2],
      "right_children":[2,-1,4,-1,-1],"split_conditions":[5E-1,1,0,20,300],
      "split_indices":[0,0,1,0,0],"split_type":[0,0,1,0,0],"sum_hessian":[1,1,1,1,1],
      "tree_param":{"num_deleted":"0","num_feature":"2","num_nodes":"5","size_leaf_vector":"1"}}]},
      "name":"gbtree"},"learner_model_param":{"base_score":"[5E-1]","boost_from_average":"1",
      "num_class":"0","num_feature":"2","num_target":"1"},"objective":{"name":"reg:squarederror",
      "reg_loss_param":{"scale_pos_weight":"1"}}},"version":[3,4,0]}
      """;

  /** {@link #LIGHTGBM} with 34 values of feature b, t0 to t31, a quote and ä. */
  public static final String LIGHTGBM_VALUES =
      LIGHTGBM
          + "\npandas_categorical:[["
          + IntStream.range(0, 32).mapToObj(i -> "\"t" + i + "\", ").collect(Collectors.joining())
          + "\"\\\"\", \"\\u00e4\"]]\n";

  /** {@link #XGBOOST} with the texts a and ä for the codes 0 and 1 of the second feature. */
  public static final String XGBOOST_VALUES =
      XGBOOST.replace(
          "\"tree_info\"",
          "\"cats\":{\"enc\":[{\"offsets\":[],\"values\":[]},{\"offsets\":[0,1,3],"
              + "\"values\":[97,-61,-92]}],\"feature_segments\":[0,0,2],\"sorted_idx\":[0,1]},"
              + "\"tree_info\"");

  /** Below 0.5 on f1, or missing, is leaf 1; category 1 or 33 of f0 is leaf 300, else 20. */
  public static final String XGBOOST_DUMP =
      """
      [  { "nodeid": 0, "depth": 0, "split": "f1", "split_condition": 0.5, "yes": 1, "no": 2, "missing": 1 , "children": [
          { "nodeid": 1, "leaf": 1 },
          { "nodeid": 2, "depth": 1, "split": "f0", "split_condition": [1, 33], "yes": 4, "no": 3, "missing": 3 , "children": [
            { "nodeid": 3, "leaf": 20 },
            { "nodeid": 4, "leaf": 300 }
          ]}
        ]},
        { "nodeid": 0, "leaf": 4000 }
      ]
      """;

  /** The same as text, with statistics; and if "x y" is present 60000, else 50000. */
  public static final String XGBOOST_DUMP_TEXT =
      """
      booster[0]:
      0:[f1<0.5] yes=1,no=2,missing=1,gain=7.5,cover=9
      \t1:leaf=1,cover=4
      \t2:[f0:{1,33}] yes=4,no=3,missing=3,gain=2,cover=5
      \t\t3:leaf=20,cover=3
      \t\t4:leaf=300,cover=2
      booster[1]:
      0:leaf=4000,cover=9
      booster[2]:
      0:[x y] yes=1,no=2,gain=1,cover=9
      \t1:leaf=60000,cover=1
      \t2:leaf=50000,cover=8
      """;

  /**
   * Left of 0.5 on feature a is leaf 1; then category 1 or 33 of feature b is leaf 20, else 300.
   */
  public static final String LIGHTGBM_DUMP =
      """
      {"name":"tree","version":"v4","num_class":1,"num_tree_per_iteration":1,"label_index":0,
      "max_feature_idx":1,"objective":"binary sigmoid:2.5","average_output":false,
      "feature_names":["a","b"],"feature_infos":{},
      "tree_info":[{"tree_index":0,"num_leaves":3,"num_cat":1,"shrinkage":1,
      "tree_structure":{"split_index":0,"split_feature":0,"split_gain":2,"threshold":0.5,
      "decision_type":"<=","default_left":true,"missing_type":"NaN","left_child":{"leaf_index":0,
      "leaf_value":1},"right_child":{"split_index":1,"split_feature":1,"threshold":"1||33",
      "decision_type":"==","default_left":false,"missing_type":"None","left_child":{"leaf_index":1,
      "leaf_value":20},"right_child":{"leaf_index":2,"leaf_value":300}}}},
      {"tree_index":1,"num_leaves":1,"num_cat":0,"shrinkage":1,
      "tree_structure":{"leaf_value":4000}}],"pandas_categorical":[]}
      """;

  /** Bit 0 is feature 1 above 2.5, bit 1 feature 0 above 0.5; twice the leaf plus 7. */
  public static final String CATBOOST =
      """
      {"features_info":{"float_features":[
      {"borders":[0.5],"feature_index":0,"flat_feature_index":0,"has_nans":true,"nan_value_treatment":"AsTrue"},
      {"borders":[2.5],"feature_index":1,"flat_feature_index":1,"has_nans":false,"nan_value_treatment":"AsIs","feature_id":"b"}]},
      "model_info":{"params":"none"},"oblivious_trees":[{"leaf_values":[1,20,300,4000],"leaf_weights":[1,1,1,1],
      "splits":[{"border":2.5,"float_feature_index":1,"split_index":1,"split_type":"FloatFeature"},
      {"border":0.5,"float_feature_index":0,"split_index":0,"split_type":"FloatFeature"}]}],
      "scale_and_bias":[2,[7]]}
      """;

  /**
   * Columns "x" and "2" are float features, "kind" and "unused" categorical. Where "x" is above
   * 0.5, category 12 of "kind" is 300 and another 20; below it category 3 is 4000, and another 1.
   */
  public static final String CATBOOST_CATEGORIES =
      """
      {"features_info":{"categorical_features":[
      {"feature_id":"unused","feature_index":0,"flat_feature_index":0},
      {"feature_id":"kind","feature_index":1,"flat_feature_index":3,"values":[593172586,1445320840]}],
      "float_features":[
      {"borders":[0.5],"feature_index":0,"feature_id":"x","flat_feature_index":1,"has_nans":false,"nan_value_treatment":"AsIs"},
      {"borders":[],"feature_index":1,"feature_id":"","flat_feature_index":2,"has_nans":false,"nan_value_treatment":"AsTrue"}]},
      "model_info":{},"scale_and_bias":[1,[0]],"trees":[
      {"left":{"left":{"value":1,"weight":1},"right":{"value":4000,"weight":2},
      "split":{"cat_feature_index":1,"split_index":1,"split_type":"OneHotFeature","value":593172586}},
      "right":{"left":{"value":20},"right":{"value":300},
      "split":{"cat_feature_index":1,"split_index":2,"split_type":"OneHotFeature","value":1445320840}},
      "split":{"border":0.5,"float_feature_index":0,"split_index":0,"split_type":"FloatFeature"}},
      {"value":0,"weight":3}]}
      """;

  /**
   * Column "x" is a float feature, "kind" a categorical one. Of a table of two classes with keys
   * 123 and 456, which no category has, the CTR is (n1 + 0.5) / (n0 + n1 + 1), and 0.5 otherwise:
   * above 0.75 it is 20, up to there 1.
   */
  public static final String CATBOOST_CTR =
      """
      {"ctr_data":{"t":{"hash_map":["123",1,2,"456",3,4],"hash_stride":3}},
      "features_info":{"categorical_features":[
      {"feature_id":"u","feature_index":0,"flat_feature_index":1},
      {"feature_id":"kind","feature_index":1,"flat_feature_index":2}],
      "ctrs":[{"identifier":"t","ctr_type":"Borders","elements":[
      {"cat_feature_index":1,"combination_element":"cat_feature_value"}],"prior_denomerator":1,
      "prior_numerator":0.5,"scale":1,"shift":0,"target_border_idx":0,"borders":[0.25,0.75]}],
      "float_features":[{"borders":[0.5],"feature_index":0,"flat_feature_index":0,"feature_id":"x",
      "has_nans":false,"nan_value_treatment":"AsIs"}]},
      "oblivious_trees":[{"leaf_values":[1,20],
      "splits":[{"border":0.75,"ctr_target_border_idx":0,"split_index":2,"split_type":"OnlineCtr"}]}],
      "scale_and_bias":[1,[0]]}
      """;

  /** Feature 1 up to 0.5 is 10 * 0.1; above it feature 3 up to -1 is 20 * 0.1, else 300 * 0.1. */
  public static final String RANKLIB =
      """
      ## LambdaMART
      ## No. of trees = 1

      <ensemble>
      	<tree id="1" weight="0.1">
      		<split>
      			<feature> 1 </feature>
      			<threshold> 0.5 </threshold>
      			<split pos="left">
      				<output> 10 </output>
      			</split>
      			<split pos="right">
      				<feature> 3 </feature>
      				<threshold> -1.0 </threshold>
      				<split pos="left"><output> 20.0 </output></split>
      				<split pos="right"><output> 300.0 </output></split>
      			</split>
      		</split>
      	</tree>
      </ensemble>
      """;

  public static final String QUICKRANK =
      "<?xml version=\"1.0\"?>\n<ranker><info><type>MART</type></info>"
          + RANKLIB.substring(RANKLIB.indexOf("<ensemble>"))
          + "</ranker>";

  /** 1 plus 2 times feature 1 minus half of feature 3. */
  public static final String RANKLIB_LINEAR =
      "## Linear Regression\n## Lambda = 1.0E-10\n0:1 1:2.0 3:-0.5 \n";

  /** Twice a minus half of b. */
  public static final String LINEAR = "{\"a\": 2, \"b\": -5E-1}\n";

  /** 2.25 plus thrice f0 minus half of f1. */
  public static final String XGBOOST_LINEAR =
      """
      {"learner":{"attributes":{},"feature_names":[],"feature_types":[],
      "gradient_booster":{"model":{"boosted_rounds":2,"weights":[3E0,-5E-1,2.5E-1]},"name":"gblinear"},
      "learner_model_param":{"base_score":"[2E0]","num_class":"0","num_feature":"2","num_target":"1"},
      "objective":{"name":"reg:squarederror"}},"version":[2,1,4]}
      """;

  /**
   * Title up to 0.5 is 1; then price, as a share of 10, up to 2 is 20, else 300; and thrice 1000.
   */
  public static final String SOLR =
      """
      {"class":"org.apache.solr.ltr.model.MultipleAdditiveTreesModel","name":"small","store":"_DEFAULT_",
      "features":[{"name":"title"},{"name":"price","norm":{"class":"org.apache.solr.ltr.norm.MinMaxNormalizer",
      "params":{"min":"0","max":"10"}}}],
      "params":{"trees":[{"weight":"1","root":{"feature":"title","threshold":"0.5","left":{"value":"1"},
      "right":{"feature":"price","threshold":"2.0f","left":{"value":"20"},"right":{"value":"300"}}}},
      {"weight":"3","root":{"value":"1000"}}]}}
      """;

  /** Twice the title minus a half of how many times 4 the price is above 1. */
  public static final String SOLR_LINEAR =
      """
      {"class":"org.apache.solr.ltr.model.LinearModel","name":"small",
      "features":[{"name":"title"},{"name":"price","norm":{"class":"org.apache.solr.ltr.norm.StandardNormalizer",
      "params":{"avg":"1","std":"4"}}}],
      "params":{"weights":{"title":2.0,"price":-0.5,"old":7}}}
      """;

  private SmallModels() {}

  public static boolean isRankLib(byte[] model) {
    String text = new String(model, StandardCharsets.UTF_8);
    return text.contains("<ensemble>") || text.startsWith("## ");
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static TreeEnsemble read(String text) {
    return ModelReader.read(bytes(text), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  /** The raw score of one document. */
  public static double score(TreeEnsemble ensemble, float... values) {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.OBJECT);
    double[] scores = new double[1];
    scorer.score(FeatureMatrix.ofRows(values, values.length), scorer.newScratch(), scores);
    return scores[0];
  }

  /** Replaces text that must be there. */
  public static String with(String model, String old, String replacement) {
    assertTrue(model.contains(old), old);
    return model.replace(old, replacement);
  }

  /** Expects a refusal that says each of these. */
  public static void assertRefused(String model, String... said) {
    InvalidModelException e =
        Assertions.assertThrows(InvalidModelException.class, () -> read(model));
    String message = String.valueOf(e.getMessage());
    for (String part : said) {
      assertTrue(message.contains(part), message + " should say " + part);
    }
  }

  /** Expects a refusal of exactly this message, said to be where this text first stands. */
  public static void assertRefusedAt(String model, String place, String message) {
    assertRefusedAt(model, place, message, EnsembleLimits.DEFAULT);
  }

  public static void assertRefusedAt(
      String model, String place, String message, EnsembleLimits limits) {
    assertTrue(model.contains(place), place);
    int offset = bytes(model.substring(0, model.indexOf(place))).length;
    assertEquals("byte " + offset + ": " + message, refusal(model, limits));
  }

  /** The message by which a model is refused. */
  public static String refusal(String model, EnsembleLimits limits) {
    return String.valueOf(
        Assertions.assertThrows(
                InvalidModelException.class,
                () -> ModelReader.read(bytes(model), ModelFormat.AUTO, limits))
            .getMessage());
  }
}

package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.traversal.ReferenceScorer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Assertions;

/** Hand-written models of three leaves or fewer, and what tests do with them. */
final class SmallModels {
  /**
   * Left of 0.5 on feature a is leaf 1; then category 1 or 33 of feature b is leaf 20, else 300.
   */
  static final String LIGHTGBM =
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
  static final String XGBOOST =
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

  private SmallModels() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static TreeEnsemble read(String text) {
    return ModelReader.read(bytes(text), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  /** The raw score of one document. */
  static double score(TreeEnsemble ensemble, float... values) {
    ReferenceScorer scorer = ReferenceScorer.compile(ensemble);
    double[] scores = new double[1];
    scorer.score(FeatureMatrix.ofRows(values, values.length), scorer.newScratch(), scores);
    return scores[0];
  }

  /** Replaces text that must be there. */
  static String with(String model, String old, String replacement) {
    assertTrue(model.contains(old), old);
    return model.replace(old, replacement);
  }

  /** Expects a refusal that says each of these. */
  static void assertRefused(String model, String... said) {
    InvalidModelException e =
        Assertions.assertThrows(InvalidModelException.class, () -> read(model));
    String message = String.valueOf(e.getMessage());
    for (String part : said) {
      assertTrue(message.contains(part), message + " should say " + part);
    }
  }
}

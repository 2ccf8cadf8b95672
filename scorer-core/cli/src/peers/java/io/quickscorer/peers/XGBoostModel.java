// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.peers;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes an ensemble as XGBoost's JSON, version 3: {@code reg:squarederror}, whose prediction is
 * the sum over the trees.
 *
 * <p>XGBoost goes left when {@code x < threshold}, we when {@code x <= threshold}: the converted
 * threshold is the next float. Nodes are in breadth-first order, as XGBoost grows them.
 */
final class XGBoostModel {
  private final int features;
  private final StringBuilder json = new StringBuilder();

  private XGBoostModel(int features) {
    this.features = features;
  }

  static byte[] write(TreeEnsemble ensemble) {
    Conversion.check("xgboost", ensemble);
    XGBoostModel model = new XGBoostModel(ensemble.featureNames().size());
    model.learner(ensemble);
    return model.json.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void learner(TreeEnsemble ensemble) {
    int trees = ensemble.trees().size();
    json.append("{\"version\":[3,0,0],\"learner\":{\"attributes\":{},");
    json.append("\"feature_names\":[],\"feature_types\":[],");
    json.append("\"learner_model_param\":{\"base_score\":\"").append(Conversion.base(ensemble));
    json.append("\",\"boost_from_average\":\"0\",\"num_class\":\"0\",\"num_feature\":\"");
    json.append(features).append("\",\"num_target\":\"1\"},");
    json.append("\"objective\":{\"name\":\"reg:squarederror\",");
    json.append("\"reg_loss_param\":{\"scale_pos_weight\":\"1\"}},");
    json.append("\"gradient_booster\":{\"name\":\"gbtree\",\"model\":{");
    json.append("\"gbtree_model_param\":{\"num_parallel_tree\":\"1\",\"num_trees\":\"");
    json.append(trees).append("\"},");
    list("iteration_indptr", trees + 1, Integer::toString).append(',');
    list("tree_info", trees, t -> "0").append(",\"trees\":[");
    for (int t = 0; t < trees; t++) {
      json.append(t == 0 ? "" : ",");
      new Nodes(ensemble, t).write();
    }
    json.append("]}}}}");
  }

  private StringBuilder list(String name, int length, IntFunction<String> element) {
    json.append('"').append(name).append("\":");
    return json.append(
        IntStream.range(0, length).mapToObj(element).collect(Collectors.joining(",", "[", "]")));
  }

  /**
   * One tree's nodes in breadth-first order; a child is a split's number or ~leaf, as in a tree.
   */
  private final class Nodes {
    private final TreeEnsemble ensemble;
    private final int number;
    private final Tree tree;
    private final int[] order;
    private final int[] left;
    private final int[] parents;

    Nodes(TreeEnsemble ensemble, int number) {
      this.ensemble = ensemble;
      this.number = number;
      tree = ensemble.trees().get(number);
      order = new int[tree.splits() + tree.leaves()];
      left = new int[order.length];
      parents = new int[order.length];
      Arrays.fill(left, -1);
      parents[0] = Integer.MAX_VALUE;
      order[0] = tree.splits() == 0 ? ~0 : 0;
      int end = 1;
      for (int i = 0; i < end; i++) {
        if (order[i] >= 0) {
          left[i] = end;
          parents[end] = i;
          order[end++] = tree.left(order[i]);
          parents[end] = i;
          order[end++] = tree.right(order[i]);
        }
      }
    }

    void write() {
      int nodes = order.length;
      json.append("{\"id\":").append(number).append(",\"tree_param\":{\"num_deleted\":\"0\",");
      json.append("\"num_feature\":\"").append(features).append("\",\"num_nodes\":\"");
      json.append(nodes).append("\",\"size_leaf_vector\":\"1\"},");
      json.append("\"categories\":[],\"categories_nodes\":[],\"categories_segments\":[],");
      json.append("\"categories_sizes\":[],");
      list("base_weights", nodes, i -> "0.0").append(',');
      list("loss_changes", nodes, i -> "0.0").append(',');
      list("sum_hessian", nodes, i -> "0.0").append(',');
      list("split_type", nodes, i -> "0").append(',');
      list("parents", nodes, i -> Integer.toString(parents[i])).append(',');
      list("left_children", nodes, i -> Integer.toString(left[i])).append(',');
      list("right_children", nodes, i -> Integer.toString(left[i] < 0 ? -1 : left[i] + 1));
      json.append(',');
      list("default_left", nodes, i -> order[i] >= 0 && tree.missing(order[i]).left() ? "1" : "0");
      json.append(',');
      list("split_indices", nodes, i -> Integer.toString(order[i] < 0 ? 0 : feature(i)));
      json.append(',');
      list("split_conditions", nodes, i -> Float.toString(condition(i))).append('}');
    }

    private int feature(int node) {
      return tree.feature(order[node]);
    }

    private float condition(int node) {
      return order[node] < 0
          ? Conversion.leaf(ensemble, tree, ~order[node])
          : Math.nextUp(tree.threshold(order[node]));
    }
  }
}

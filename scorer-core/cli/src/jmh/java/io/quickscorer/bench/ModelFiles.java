// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.reader.ModelFormats;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Files of random trees in the formats' own words and with as many digits as trainers write. */
final class ModelFiles {
  private final int trees;
  private final int leaves;
  private final SplittableRandom random = new SplittableRandom(1);
  private final StringBuilder out = new StringBuilder(1 << 20);

  private ModelFiles(int trees, int leaves) {
    this.trees = trees;
    this.leaves = leaves;
  }

  /** The formats that can be written here. */
  static ModelFormat[] formats() {
    return new ModelFormat[] {
      ModelFormats.LIGHTGBM_TEXT,
      ModelFormats.of("lightgbm_json"),
      ModelFormats.of("xgboost_json"),
      ModelFormats.of("xgboost_ubjson"),
      ModelFormats.of("xgboost_dump_json"),
      ModelFormats.of("catboost_json"),
      ModelFormats.of("ranklib"),
      ModelFormats.of("solr_json")
    };
  }

  static byte[] of(ModelFormat format, int trees, int leaves) {
    ModelFiles files = new ModelFiles(trees, leaves);
    switch (format.label()) {
      case "lightgbm_text" -> files.lightGbm();
      case "lightgbm_json" -> files.lightGbmDump();
      case "xgboost_json" -> files.xgBoost();
      case "xgboost_dump_json" -> files.xgBoostDump();
      case "catboost_json" -> files.catBoost();
      case "ranklib" -> files.rankLib();
      case "solr_json" -> files.solr();
      case "xgboost_ubjson" -> {
        return new UbjsonFile(trees, leaves).write();
      }
      default -> throw new IllegalArgumentException("no writer for " + format.label());
    }
    return files.out.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private ModelFiles add(Object text) {
    out.append(text);
    return this;
  }

  private void list(int count, String separator, IntFunction<Object> element) {
    for (int i = 0; i < count; i++) {
      add(i == 0 ? "" : separator).add(element.apply(i));
    }
  }

  private void line(String key, int count, IntFunction<Object> element) {
    add(key).add("=").list(count, " ", element);
    add("\n");
  }

  private void lightGbm() {
    add("tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n");
    add("max_feature_idx=").add(RandomTree.FEATURES - 1).add("\nobjective=lambdarank\n");
    line("feature_names", RandomTree.FEATURES, f -> "Column_" + f);
    for (int t = 0; t < trees; t++) {
      RandomTree tree = RandomTree.of(random, leaves);
      int splits = tree.splits();
      add("\nTree=").add(t).add("\nnum_leaves=").add(leaves).add("\nnum_cat=0\n");
      line("split_feature", splits, i -> tree.feature()[i]);
      line("split_gain", splits, i -> (float) (1000.0 / (i + 1)));
      line("threshold", splits, i -> tree.threshold()[i]);
      line("decision_type", splits, i -> 2);
      line("left_child", splits, i -> tree.left()[i]);
      line("right_child", splits, i -> tree.right()[i]);
      line("leaf_value", leaves, i -> tree.value()[i]);
      line("leaf_weight", leaves, i -> Math.abs(tree.value()[i]) * 1000);
      line("leaf_count", leaves, i -> 20 + i);
      line("internal_value", splits, i -> (float) (tree.threshold()[i] / 1000));
      line("internal_weight", splits, i -> (float) (tree.threshold()[i] * 10));
      line("internal_count", splits, i -> 5000 - i);
      add("is_linear=0\nshrinkage=0.1\n\n");
    }
    add("\nend of trees\n\nfeature_importances:\n\nparameters:\nend of parameters\n");
  }

  private void lightGbmDump() {
    add("{\"name\":\"tree\",\"version\":\"v4\",\"num_class\":1,\"num_tree_per_iteration\":1,");
    add("\"objective\":\"lambdarank\",\"average_output\":false,\"feature_names\":[");
    list(RandomTree.FEATURES, ",", f -> "\"Column_" + f + '"');
    add("],\"tree_info\":[");
    for (int t = 0; t < trees; t++) {
      RandomTree tree = RandomTree.of(random, leaves);
      add(t == 0 ? "" : ",").add("{\"tree_index\":").add(t).add(",\"num_leaves\":").add(leaves);
      add(",\"tree_structure\":").lightGbmNode(tree, 0);
      add("}");
    }
    add("]}");
  }

  private void lightGbmNode(RandomTree tree, int node) {
    if (node < 0) {
      add("{\"leaf_index\":").add(~node).add(",\"leaf_value\":").add(tree.value()[~node]);
      add(",\"leaf_weight\":").add(Math.abs(tree.value()[~node]) * 1000);
      add(",\"leaf_count\":").add(20 + ~node).add("}");
      return;
    }
    add("{\"split_index\":").add(node).add(",\"split_feature\":").add(tree.feature()[node]);
    add(",\"split_gain\":").add((float) (1000.0 / (node + 1)));
    add(",\"threshold\":").add(tree.threshold()[node]);
    add(",\"decision_type\":\"<=\",\"default_left\":true,\"missing_type\":\"None\"");
    add(",\"internal_value\":").add((float) tree.threshold()[node] / 1000);
    add(",\"internal_weight\":").add((float) tree.threshold()[node] * 10);
    add(",\"internal_count\":").add(5000 - node).add(",\"left_child\":");
    lightGbmNode(tree, tree.left()[node]);
    add(",\"right_child\":").lightGbmNode(tree, tree.right()[node]);
    add("}");
  }

  private void xgBoost() {
    add("{\"learner\":{\"attributes\":{},\"feature_names\":[],\"feature_types\":[],");
    add("\"gradient_booster\":{\"model\":{\"gbtree_model_param\":{\"num_trees\":\"");
    add(trees).add("\"},\"tree_info\":[").list(trees, ",", t -> 0);
    add("],\"trees\":[");
    for (int t = 0; t < trees; t++) {
      RandomTree tree = RandomTree.of(random, leaves);
      int splits = tree.splits();
      add(t == 0 ? "{" : ",{");
      array("base_weights", tree, i -> (float) (i < splits ? 0.01 : tree.value()[i - splits]));
      add("\"categories\":[],\"categories_nodes\":[],\"categories_segments\":[],");
      add("\"categories_sizes\":[],");
      array("default_left", tree, i -> i & 1);
      add("\"id\":").add(t).add(",");
      array("left_children", tree, i -> i < splits ? tree.node(tree.left()[i]) : -1);
      array("loss_changes", tree, i -> i < splits ? (float) (1000.0 / (i + 1)) : 0f);
      int[] parents = tree.parents();
      array("parents", tree, i -> parents[i]);
      array("right_children", tree, i -> i < splits ? tree.node(tree.right()[i]) : -1);
      array(
          "split_conditions",
          tree,
          i -> (float) (i < splits ? tree.threshold()[i] : tree.value()[i - splits]));
      array("split_indices", tree, i -> i < splits ? tree.feature()[i] : 0);
      array("split_type", tree, i -> 0);
      array("sum_hessian", tree, i -> (float) (5000 - i));
      add("\"tree_param\":{\"num_deleted\":\"0\",\"num_feature\":\"").add(RandomTree.FEATURES);
      add("\",\"num_nodes\":\"").add(tree.nodes()).add("\",\"size_leaf_vector\":\"1\"}}");
    }
    add("]},\"name\":\"gbtree\"},\"learner_model_param\":{\"base_score\":\"5E-1\",");
    add("\"num_class\":\"0\",\"num_feature\":\"").add(RandomTree.FEATURES);
    add("\",\"num_target\":\"1\"},\"objective\":{\"name\":\"rank:ndcg\"}},\"version\":[3,4,0]}");
  }

  private void array(String key, RandomTree tree, IntFunction<Object> element) {
    add("\"").add(key).add("\":[").list(tree.nodes(), ",", element);
    add("],");
  }

  private void xgBoostDump() {
    add("[\n");
    for (int t = 0; t < trees; t++) {
      add(t == 0 ? "" : ",\n").xgBoostNode(RandomTree.of(random, leaves), 0, 0);
    }
    add("\n]");
  }

  private void xgBoostNode(RandomTree tree, int node, int depth) {
    String indent = "  ".repeat(depth + 1);
    if (node < 0) {
      add(indent).add("{ \"nodeid\": ").add(tree.node(node)).add(", \"leaf\": ");
      add((float) tree.value()[~node]).add(" }");
      return;
    }
    add(indent).add("{ \"nodeid\": ").add(node).add(", \"depth\": ").add(depth);
    add(", \"split\": \"f").add(tree.feature()[node]).add("\", \"split_condition\": ");
    add((float) tree.threshold()[node]).add(", \"yes\": ").add(tree.node(tree.left()[node]));
    add(", \"no\": ").add(tree.node(tree.right()[node])).add(", \"missing\": ");
    add(tree.node(tree.left()[node])).add(", \"children\": [\n");
    xgBoostNode(tree, tree.left()[node], depth + 1);
    add(",\n").xgBoostNode(tree, tree.right()[node], depth + 1);
    add("\n").add(indent).add("]}");
  }

  /** Oblivious trees have a power of two of leaves. */
  private void catBoost() {
    int depth = 32 - Integer.numberOfLeadingZeros(leaves - 1);
    add("{\n\"features_info\":\n{\"float_features\":[");
    list(
        RandomTree.FEATURES,
        ",",
        f -> "{\"feature_index\":" + f + ",\"flat_feature_index\":" + f + ",\"borders\":[]}");
    add("]},\n\"oblivious_trees\":[");
    for (int t = 0; t < trees; t++) {
      add(t == 0 ? "" : ",").add("\n{\n\"leaf_values\":[");
      list(1 << depth, ",\n", i -> random.nextDouble(-0.1, 0.1));
      add("],\n\"leaf_weights\":[").list(1 << depth, ",\n", i -> random.nextDouble(0, 100));
      add("],\n\"splits\":[");
      list(
          depth,
          ",\n",
          i ->
              "{\"border\":"
                  + (double) (float) random.nextDouble(-10, 100)
                  + ",\"float_feature_index\":"
                  + random.nextInt(RandomTree.FEATURES)
                  + ",\"split_index\":0,\"split_type\":\"FloatFeature\"}");
      add("]}");
    }
    add("],\n\"scale_and_bias\":[1,[0.5]]}");
  }

  private void rankLib() {
    add("## LambdaMART\n## No. of trees = ").add(trees).add("\n\n<ensemble>\n");
    for (int t = 0; t < trees; t++) {
      add("\t<tree id=\"").add(t + 1).add("\" weight=\"0.1\">\n\t\t<split>\n");
      rankLibNode(RandomTree.of(random, leaves), 0, "\t\t\t");
      add("\t\t</split>\n\t</tree>\n");
    }
    add("</ensemble>\n");
  }

  private void rankLibNode(RandomTree tree, int node, String indent) {
    if (node < 0) {
      add(indent).add("<output> ").add((float) tree.value()[~node]).add(" </output>\n");
      return;
    }
    add(indent).add("<feature> ").add(tree.feature()[node] + 1).add(" </feature>\n");
    add(indent).add("<threshold> ").add((float) tree.threshold()[node]).add(" </threshold>\n");
    add(indent).add("<split pos=\"left\">\n");
    rankLibNode(tree, tree.left()[node], indent + "\t");
    add(indent).add("</split>\n").add(indent).add("<split pos=\"right\">\n");
    rankLibNode(tree, tree.right()[node], indent + "\t");
    add(indent).add("</split>\n");
  }

  private void solr() {
    add("{\"class\":\"org.apache.solr.ltr.model.MultipleAdditiveTreesModel\",\"name\":\"a\",");
    add("\"features\":[").list(RandomTree.FEATURES, ",", f -> "{\"name\":\"feature_" + f + "\"}");
    add("],\"params\":{\"trees\":[");
    for (int t = 0; t < trees; t++) {
      add(t == 0 ? "" : ",").add("{\"weight\":\"0.1\",\"root\":");
      solrNode(RandomTree.of(random, leaves), 0);
      add("}");
    }
    add("]}}");
  }

  private void solrNode(RandomTree tree, int node) {
    if (node < 0) {
      add("{\"value\":\"").add((float) tree.value()[~node]).add("\"}");
      return;
    }
    add("{\"feature\":\"feature_").add(tree.feature()[node]).add("\",\"threshold\":\"");
    add((float) tree.threshold()[node]).add("\",\"left\":");
    solrNode(tree, tree.left()[node]);
    add(",\"right\":");
    solrNode(tree, tree.right()[node]);
    add("}");
  }
}

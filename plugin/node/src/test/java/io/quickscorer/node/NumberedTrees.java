// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Models of any size whose every score tells which version of them gave it: trees that know every
 * value of a feature {@code p} from 0 to 127 apart, as XGBoost dumps them or LightGBM writes them.
 */
public final class NumberedTrees {
  /** How many values of p, and so leaves of a tree, there are. */
  public static final int VALUES = 128;

  private NumberedTrees() {}

  /** Sums of such values are exact in float, in whatever order. */
  private static float leaf(long version, int tree, int leaf) {
    return new SplittableRandom((version * 31 + tree) * VALUES + leaf).nextInt(1 << 12) / 64f;
  }

  /** The file of a version, as LightGBM writes it. */
  static String lightGbm(long version, int trees) {
    int nodes = VALUES - 1;
    StringBuilder text = new StringBuilder("tree\nversion=v4\nnum_class=1\n");
    text.append("num_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=0\n");
    text.append("objective=regression\nfeature_names=p\nfeature_infos=none\n\n");
    for (int tree = 0; tree < trees; tree++) {
      int number = tree;
      text.append("Tree=").append(tree).append("\nnum_leaves=").append(VALUES);
      text.append("\nnum_cat=0\nsplit_feature=").append(values(nodes, id -> 0));
      text.append("\nthreshold=").append(values(nodes, id -> middle(id) - 0.5));
      text.append("\ndecision_type=").append(values(nodes, id -> 8));
      text.append("\nleft_child=").append(values(nodes, id -> child(2 * id + 1)));
      text.append("\nright_child=").append(values(nodes, id -> child(2 * id + 2)));
      text.append("\nleaf_value=").append(values(VALUES, p -> leaf(version, number, p)));
      text.append("\n\n");
    }
    return text.append("end of trees\n").toString();
  }

  private static String values(int count, IntFunction<Object> value) {
    return IntStream.range(0, count)
        .mapToObj(i -> String.valueOf(value.apply(i)))
        .collect(Collectors.joining(" "));
  }

  /** The smallest p right of a node; the nodes of a level are numbered from left to right. */
  private static int middle(int id) {
    int level = Integer.highestOneBit(id + 1);
    return (2 * (id + 1 - level) + 1) * VALUES / (2 * level);
  }

  /** A child as LightGBM writes it: a leaf's number is negative. */
  private static int child(int id) {
    return id < VALUES - 1 ? id : ~(id - (VALUES - 1));
  }

  /** The file of a version, as XGBoost dumps it. */
  public static String file(long version, int trees) {
    StringBuilder json = new StringBuilder("[");
    for (int tree = 0; tree < trees; tree++) {
      json.append(tree == 0 ? "" : ",");
      node(json, 0, 0, VALUES, version, tree);
    }
    return json.append(']').toString();
  }

  private static void node(StringBuilder json, int id, int from, int to, long version, int tree) {
    json.append("{\"nodeid\":").append(id);
    if (to - from == 1) {
      json.append(",\"leaf\":").append(leaf(version, tree, from)).append('}');
      return;
    }
    int middle = (from + to) / 2;
    json.append(",\"split\":\"p\",\"split_condition\":").append(middle);
    json.append(",\"yes\":").append(2 * id + 1).append(",\"no\":").append(2 * id + 2);
    json.append(",\"missing\":").append(2 * id + 1).append(",\"children\":[");
    node(json, 2 * id + 1, from, middle, version, tree);
    json.append(',');
    node(json, 2 * id + 2, middle, to, version, tree);
    json.append("]}");
  }

  /** A version's scores of the documents whose p is 0, 1, … */
  public static List<Float> scores(long version, int trees) {
    List<Float> scores = new ArrayList<>();
    for (int p = 0; p < VALUES; p++) {
      float sum = 0;
      for (int tree = 0; tree < trees; tree++) {
        sum += leaf(version, tree, p);
      }
      scores.add(sum);
    }
    return scores;
  }

  /** An index with a document for each value of p, and a feature set {@code p} over it. */
  public static void createIndex(NodeClient client, String index) {
    client.put(
        "/" + index,
        "{\"settings\": {\"number_of_replicas\": 0},"
            + " \"mappings\": {\"properties\": {\"p\": {\"type\": \"integer\"}}}}");
    StringBuilder bulk = new StringBuilder();
    for (int p = 0; p < VALUES; p++) {
      bulk.append("{\"index\": {}}\n{\"p\": ").append(p).append("}\n");
    }
    client.post("/" + index + "/_bulk?refresh=true", bulk.toString());
    client.put(
        "/_plugins/_quickscorer/feature_sets/p",
        "{\"features\": [{\"name\": \"p\", \"type\": \"field\", \"field\": \"p\"}]}");
  }

  /** A search for all documents of that index, rescored. */
  public static NodeClient.Answer search(NodeClient client, String index, String model) {
    String body =
        """
        {"size": %s, "query": {"match_all": {}}, "_source": false, "docvalue_fields": ["p"],
         "rescore": {"window_size": %s, "quickscorer": {"model": "%s"}}}
        """
            .formatted(VALUES, VALUES, model);
    return client.send("POST", "/" + index + "/_search", body);
  }

  /** The scores of such a search by p. */
  public static List<Float> scores(JsonNode found) {
    assertEquals(VALUES, found.at("/hits/hits").size(), found::toString);
    Float[] scores = new Float[VALUES];
    for (JsonNode hit : found.at("/hits/hits")) {
      scores[hit.at("/fields/p/0").asInt()] = hit.get("_score").floatValue();
    }
    return List.of(scores);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;

/**
 * Models of any size whose every score tells which version of them gave it: trees that know every
 * value of a feature {@code p} from 0 to 127 apart, as XGBoost dumps them.
 */
public final class NumberedTrees {
  /** How many values of p, and so leaves of a tree, there are. */
  public static final int VALUES = 128;

  private NumberedTrees() {}

  /** Sums of such values are exact in float, in whatever order. */
  private static float leaf(long version, int tree, int leaf) {
    return new SplittableRandom((version * 31 + tree) * VALUES + leaf).nextInt(1 << 12) / 64f;
  }

  /** The file of a version. */
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

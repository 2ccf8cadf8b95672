// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.node.NodeClient;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What a node holds before it is attacked: documents, feature sets and models. */
final class Stage {
  static final String ROOT = "/_plugins/_quickscorer";

  /** As many as a window may have, and of one index twice as many. */
  private static final int DOCUMENTS = 10_000;

  private static final int BULK = 2_500;
  private static final int LEAVES = 64;

  private final NodeClient client;

  private Stage(NodeClient client) {
    this.client = client;
  }

  /** Puts everything on a fresh node. */
  static void set(NodeClient client) {
    Stage stage = new Stage(client);
    stage.documents("docs", 1, 2 * DOCUMENTS);
    stage.documents("docs3", 3, DOCUMENTS);
    stage.documents("few", 2, 60);
    stage.set(
        "plain",
        features(8, f -> "\"type\": \"param\", \"param\": \"p" + f % 8 + "\", \"default\": " + f));
    stage.set("pair", features(2, f -> "\"type\": \"field\", \"field\": \"n\""));
    stage.set(
        "repeating",
        features(
            200, f -> "\"type\": \"query\", \"query\": {\"term\": {\"k\": \"{{x}}" + f + "\"}}"));
    stage.set(
        "sections",
        features(
            2_000,
            f ->
                "\"type\": \"query\", \"query\":"
                    + " \"{\\\"terms\\\": {\\\"k\\\": [{{#a}}\\\"{{.}}\\\",{{/a}}\\\""
                    + f
                    + "\\\"]}}\""));
    stage.set(
        "words",
        features(
            2_000,
            f ->
                "\"type\": \"query\", \"query\": {\"match\": {\"t\": {\"query\": \"{{x}} w"
                    + f
                    + "\", \"boost\": "
                    + (f + 1)
                    + "}}}"));
    stage.set(
        "wide",
        features(
            1_000, f -> "\"type\": \"field\", \"field\": \"" + (f % 2 == 0 ? "n" : "f") + "\""));
    stage.set("raw", features(1, f -> "\"type\": \"query\", \"query\": \"{{{q}}}\""));
    stage.set("mixed", MIXED);
    stage.model("small", "mixed", 20);
    stage.model("other", "mixed", 10);
    stage.model("large", "explained", 1_000);
    client.put(ROOT + "/aliases/best", "{\"model\": \"small\"}");
  }

  private static final String MIXED =
      """
      {"features": [
        {"name": "f0", "type": "field", "field": "n", "missing": 0},
        {"name": "f1", "type": "query", "query": {"match": {"t": "{{x}}"}}},
        {"name": "f2", "type": "first_pass_score"},
        {"name": "f3", "type": "param", "param": "p", "default": 1},
        {"name": "f4", "type": "expression", "expression": "f0 * params.p + field.f"},
        {"name": "f5", "type": "term_statistics", "field": "t", "text": "{{x}}", "statistic": "df", "aggregate": "max"},
        {"name": "f6", "type": "script", "script": "doc['n'].value * params.p"},
        {"name": "f7", "type": "field", "field": "k", "hash": 64}],
       "default_params": {"x": "w1", "p": 2}}
      """;

  private void documents(String index, int shards, int count) {
    client.put(
        "/" + index,
        """
        {"settings": {"number_of_shards": %s, "number_of_replicas": 0},
         "mappings": {"properties": {"t": {"type": "text"}, "k": {"type": "keyword"}, "u": {"type": "keyword"},
          "n": {"type": "integer"}, "f": {"type": "float"},
          "v": {"type": "quickscorer_vector", "dimension": 4}}}}
        """
            .formatted(Integer.toString(shards)));
    for (int from = 0; from < count; from += BULK) {
      StringBuilder bulk = new StringBuilder();
      for (int d = from; d < Math.min(count, from + BULK); d++) {
        bulk.append("{\"index\":{\"_id\":\"").append(d).append("\"}}\n");
        bulk.append(
            String.format(
                Locale.ROOT,
                "{\"t\":\"w%d w%d"
                    + " w%d\",\"k\":\"k%d\",\"u\":\"u%d\",\"n\":%d,\"f\":%d.5,\"v\":[1,2,3,%d]}%n",
                d % 7,
                d % 101,
                d % 1009,
                d % 50,
                d,
                d % 1000,
                d % 77,
                d % 5));
      }
      client.post("/" + index + "/_bulk?refresh=true", bulk.toString());
    }
  }

  private void set(String name, String body) {
    client.put(ROOT + "/feature_sets/" + name, body);
  }

  static String features(int count, IntFunction<String> kind) {
    StringJoiner features = new StringJoiner(",", "{\"features\": [", "]}");
    IntStream.range(0, count)
        .forEach(f -> features.add("{\"name\": \"f" + f + "\", " + kind.apply(f) + "}"));
    return features.toString();
  }

  private void model(String name, String set, int trees) {
    if (set.equals("explained")) {
      set(set, features(LEAVES, f -> "\"type\": \"field\", \"field\": \"n\""));
    }
    client.put(
        ROOT + "/models/" + name + "?feature_set=" + set,
        trees(trees, set.equals("explained") ? LEAVES : 8));
  }

  /** Full trees of 64 leaves over that many features, as XGBoost dumps them with statistics. */
  static String trees(int trees, int features) {
    StringBuilder json = new StringBuilder("[");
    for (int tree = 0; tree < trees; tree++) {
      json.append(tree == 0 ? "" : ",");
      node(json, 0, LEAVES, tree, features);
    }
    return json.append(']').toString();
  }

  private static void node(StringBuilder json, int id, int leaves, int tree, int features) {
    json.append("{\"nodeid\":").append(id).append(",\"cover\":").append(leaves);
    if (leaves == 1) {
      json.append(",\"leaf\":").append((id * 31 + tree) % 97 / 64f).append('}');
      return;
    }
    json.append(",\"gain\":1,\"split\":\"f").append((id + tree) % features);
    json.append("\",\"split_condition\":").append((id * 37 + tree) % 1000);
    json.append(",\"yes\":").append(2 * id + 1).append(",\"no\":").append(2 * id + 2);
    json.append(",\"missing\":").append(2 * id + 1).append(",\"children\":[");
    node(json, 2 * id + 1, leaves / 2, tree, features);
    json.append(',');
    node(json, 2 * id + 2, leaves / 2, tree, features);
    json.append("]}");
  }
}

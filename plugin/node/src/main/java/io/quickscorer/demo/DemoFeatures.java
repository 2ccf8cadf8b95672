// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.corpus.Corpus.Fields;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The feature set of the demo. It contains all four types of features: queries on the text fields,
 * numeric fields, the number of words of the query, and the score of the search itself.
 */
public final class DemoFeatures {
  private static final JsonMapper JSON = new JsonMapper();

  private final Fields fields;
  private final ArrayNode features = JSON.createArrayNode();

  private DemoFeatures(Fields fields) {
    this.fields = fields;
  }

  /**
   * Returns the feature set for a corpus, as the body of {@code PUT
   * /_plugins/_quickscorer/feature_sets/...}.
   */
  public static ObjectNode of(Fields fields) {
    DemoFeatures demo = new DemoFeatures(fields);
    demo.matches();
    demo.title();
    demo.allFields();
    demo.rest();
    ObjectNode body = JSON.createObjectNode();
    body.set("features", demo.features);
    return body;
  }

  private void matches() {
    for (String field : fields.text()) {
      query(field + "_match", "{\"match\": {\"" + field + "\": \"{{keywords}}\"}}");
    }
  }

  private void title() {
    option("title_phrase", "match_phrase", fields.title(), "");
    option("title_all_words", "match", fields.title(), ", \"operator\": \"and\"");
    option("title_most_words", "match", fields.title(), ", \"minimum_should_match\": \"75%\"");
    option("body_phrase", "match_phrase", fields.body(), ", \"slop\": 2");
  }

  private void option(String name, String type, String field, String option) {
    query(
        name,
        "{\"" + type + "\": {\"" + field + "\": {\"query\": \"{{keywords}}\"" + option + "}}}");
  }

  private void allFields() {
    multiMatch("best_fields", "best_fields", ", \"tie_breaker\": 0.3");
    multiMatch("cross_fields", "cross_fields", "");
    multiMatch("most_fields", "most_fields", "");
    multiMatch("all_words_anywhere", "cross_fields", ", \"operator\": \"and\"");
  }

  private void multiMatch(String name, String type, String option) {
    String names = JSON.writeValueAsString(fields.text());
    query(
        name,
        "{\"multi_match\": {\"query\": \"{{keywords}}\", \"type\": \""
            + type
            + "\", \"fields\": "
            + names
            + option
            + "}}");
  }

  private void rest() {
    fields.numbers().forEach(field -> add(field, "field").put("field", field));
    add("query_words", "param").put("param", "query_words").put("default", 0);
    add("first_pass_score", "first_pass_score");
  }

  private void query(String name, String query) {
    ObjectNode feature = add(name, "query");
    feature.putArray("params").add("keywords");
    feature.set("query", JSON.readTree(query));
  }

  private ObjectNode add(String name, String type) {
    return features.addObject().put("name", name).put("type", type);
  }
}

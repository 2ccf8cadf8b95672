// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.corpus.Corpus.Fields;
import java.util.List;
import java.util.Locale;
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
    String title = fields.title();
    query("title_phrase", match("match_phrase", title, ""));
    query("title_all_words", match("match", title, ", \"operator\": \"and\""));
    query("title_most_words", match("match", title, ", \"minimum_should_match\": \"75%\""));
    query("body_phrase", match("match_phrase", fields.body(), ", \"slop\": 2"));
  }

  /**
   * Returns a query for the keywords on one field, as JSON.
   *
   * @param type the type of the query, such as {@code match}
   * @param option a further option, after a comma; empty for none
   */
  public static String match(String type, String field, String option) {
    return "{\"" + type + "\": {\"" + field + "\": {\"query\": \"{{keywords}}\"" + option + "}}}";
  }

  private void allFields() {
    List<String> text = fields.text();
    query("best_fields", multiMatch("best_fields", text, ", \"tie_breaker\": 0.3"));
    query("cross_fields", multiMatch("cross_fields", text, ""));
    query("most_fields", multiMatch("most_fields", text, ""));
    query("all_words_anywhere", multiMatch("cross_fields", text, ", \"operator\": \"and\""));
  }

  /**
   * Returns a {@code multi_match} query for the keywords, as JSON.
   *
   * @param type the type of {@code multi_match}
   * @param option a further option, after a comma; empty for none
   */
  public static String multiMatch(String type, List<String> fields, String option) {
    return String.format(
        Locale.ROOT,
        "{\"multi_match\": {\"query\": \"{{keywords}}\", \"type\": \"%s\", \"fields\": %s%s}}",
        type,
        JSON.writeValueAsString(fields),
        option);
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

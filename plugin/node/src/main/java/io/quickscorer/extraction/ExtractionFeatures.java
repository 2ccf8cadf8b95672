// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.extraction;

import io.quickscorer.demo.corpus.Corpus.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The features that are measured: 25 over a corpus of seven text fields and five numbers. Each is
 * known twice: as the plugin defines it, and as the query that a search without the plugin would
 * score it by.
 */
final class ExtractionFeatures {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String KEYWORDS = "{{keywords}}";

  /** What the costs are told apart by. */
  enum Kind {
    MATCH,
    TITLE_MATCH,
    PHRASE,
    MULTI_MATCH,
    NUMBER
  }

  /**
   * @param definition as in a feature set
   * @param query a search's query with the same score, {@code {{keywords}}} for the text
   */
  record Feature(String name, Kind kind, ObjectNode definition, String query) {}

  private final Fields fields;
  private final List<Feature> features = new ArrayList<>();

  private ExtractionFeatures(Fields fields) {
    this.fields = fields;
  }

  static List<Feature> of(Fields fields) {
    ExtractionFeatures all = new ExtractionFeatures(fields);
    all.matches();
    all.phrases();
    all.multiMatches();
    all.numbers();
    return List.copyOf(all.features);
  }

  /** The body of a feature set of some of the features. */
  static String set(List<Feature> features, Predicate<Kind> kinds) {
    ObjectNode body = JSON.createObjectNode();
    ArrayNode list = body.putArray("features");
    features.stream()
        .filter(feature -> kinds.test(feature.kind()))
        .forEach(feature -> list.add(feature.definition()));
    return body.toString();
  }

  private void matches() {
    for (String field : fields.text()) {
      query("match_" + field, Kind.MATCH, option("match", field, ""));
    }
    query(
        "title_and", Kind.TITLE_MATCH, option("match", fields.title(), ", \"operator\": \"and\""));
    query(
        "title_msm",
        Kind.TITLE_MATCH,
        option("match", fields.title(), ", \"minimum_should_match\": \"75%\""));
  }

  private void phrases() {
    query("title_phrase", Kind.PHRASE, option("match_phrase", fields.title(), ""));
    query("body_phrase", Kind.PHRASE, option("match_phrase", fields.body(), ", \"slop\": 2"));
    String other = fields.otherText().getFirst();
    query(other + "_phrase", Kind.PHRASE, option("match_phrase", other, ""));
  }

  private void multiMatches() {
    multiMatch("best_fields", "best_fields", "");
    multiMatch("best_fields_tie", "best_fields", ", \"tie_breaker\": 0.3");
    multiMatch("cross_fields", "cross_fields", "");
    multiMatch("most_fields", "most_fields", "");
  }

  private void multiMatch(String name, String type, String option) {
    String query =
        String.format(
            Locale.ROOT,
            "{\"multi_match\": {\"query\": \"%s\", \"type\": \"%s\", \"fields\": %s%s}}",
            KEYWORDS,
            type,
            JSON.writeValueAsString(fields.text()),
            option);
    query(name, Kind.MULTI_MATCH, query);
  }

  private static String option(String type, String field, String option) {
    return String.format(
        Locale.ROOT, "{\"%s\": {\"%s\": {\"query\": \"%s\"%s}}}", type, field, KEYWORDS, option);
  }

  private void query(String name, Kind kind, String query) {
    ObjectNode definition = JSON.createObjectNode().put("name", name).put("type", "query");
    definition.set("query", JSON.readTree(query));
    features.add(new Feature(name, kind, definition, query));
  }

  /** The numbers, and the logarithms of all but the third, which is a rating in a small range. */
  private void numbers() {
    for (int i = 0; i < fields.numbers().size(); i++) {
      number(fields.numbers().get(i), "");
      if (i != 2) {
        number(fields.numbers().get(i), "ln1p");
      }
    }
  }

  private void number(String field, String modifier) {
    String name = modifier.isEmpty() ? field : modifier + "_" + field;
    ObjectNode definition =
        JSON.createObjectNode().put("name", name).put("type", "field").put("field", field);
    if (!modifier.isEmpty()) {
      definition.put("normalize", "log1p");
    }
    definition.put("missing", 0);
    String query =
        String.format(
            Locale.ROOT,
            "{\"function_score\": {\"field_value_factor\": {\"field\": \"%s\", \"missing\": 0%s}}}",
            field,
            modifier.isEmpty() ? "" : ", \"modifier\": \"ln1p\"");
    features.add(new Feature(name, Kind.NUMBER, definition, query));
  }
}

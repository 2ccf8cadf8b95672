// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import static io.quickscorer.demo.DemoFeatures.match;

import io.quickscorer.demo.DemoFeatures;
import io.quickscorer.demo.corpus.Corpus.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The measured features: 25 or more, for seven text fields and five numeric fields. Each feature
 * has two forms: a definition for the plugin, and a query with an equal score for searches without
 * the plugin.
 */
final class MeasuredFeatures {
  private static final JsonMapper JSON = new JsonMapper();

  /** A kind of feature for which costs are reported, such as queries on the title. */
  enum Kind {
    MATCH,
    TITLE_MATCH,
    PHRASE,
    MULTI_MATCH,
    NUMBER
  }

  /**
   * A feature that is measured.
   *
   * @param definition the feature's JSON object in a feature set
   * @param query a query whose score is equal to the feature's value; {@code {{keywords}}} in it is
   *     replaced by the text
   */
  record Feature(String name, Kind kind, ObjectNode definition, String query) {}

  private final Fields fields;
  private final List<Feature> features = new ArrayList<>();

  private MeasuredFeatures(Fields fields) {
    this.fields = fields;
  }

  static List<Feature> of(Fields fields) {
    MeasuredFeatures all = new MeasuredFeatures(fields);
    all.matches();
    all.phrases();
    all.multiMatches();
    all.numbers();
    return List.copyOf(all.features);
  }

  /**
   * Returns features that are all queries, because searches without the plugin can compute only
   * queries. The first 25 have the values of {@link #of}; further ones are variants with other
   * options. The shares of the kinds among the further ones are the same for each count, so that
   * costs of different counts can be compared.
   */
  static List<Feature> queries(Fields fields, int count) {
    MeasuredFeatures all = new MeasuredFeatures(fields);
    all.matches();
    all.phrases();
    all.multiMatches();
    all.factors();
    int base = all.features.size();
    for (int boost = 1; all.features.size() < count; boost++) {
      all.more(boost);
    }
    List<Feature> chosen = new ArrayList<>(all.features.subList(0, Math.min(base, count)));
    int variants = all.features.size() - base;
    int wanted = count - chosen.size();
    for (int i = 0; i < wanted; i++) {
      chosen.add(all.features.get(base + (int) ((long) i * variants / wanted)));
    }
    return List.copyOf(chosen);
  }

  /**
   * Returns the JSON body of a feature set with the features of some kinds.
   *
   * @param kinds returns whether a kind is included
   */
  static String set(List<Feature> features, Predicate<Kind> kinds) {
    ObjectNode body = JSON.createObjectNode();
    ArrayNode list = body.putArray("features");
    features.stream()
        .filter(feature -> kinds.test(feature.kind()))
        .forEach(feature -> list.add(feature.definition()));
    return body.toString();
  }

  private void factors() {
    MeasuredFeatures plain = new MeasuredFeatures(fields);
    plain.numbers();
    plain.features.forEach(number -> query(number.name(), Kind.NUMBER, number.query()));
  }

  /**
   * Adds features whose queries are variants of those of the first 25 features.
   *
   * @param boost a factor for the scores of the new queries; different in each call
   */
  private void more(int boost) {
    String boosted = ", \"boost\": " + boost;
    for (String field : fields.text()) {
      String suffix = "_" + field + "_" + boost;
      query("and" + suffix, Kind.MATCH, match("match", field, ", \"operator\": \"and\"" + boosted));
      query(
          "msm" + suffix,
          Kind.MATCH,
          match("match", field, ", \"minimum_should_match\": \"75%\"" + boosted));
      query("phrase" + suffix, Kind.PHRASE, match("match_phrase", field, boosted));
      query("slop" + suffix, Kind.PHRASE, match("match_phrase", field, ", \"slop\": 2" + boosted));
    }
    for (String modifier : List.of("sqrt", "log1p", "log2p", "ln2p", "square")) {
      for (String field : fields.numbers()) {
        query(
            modifier + "_" + field + "_" + boost,
            Kind.NUMBER,
            String.format(
                Locale.ROOT,
                "{\"function_score\": {\"boost\": %d, \"field_value_factor\": {\"field\": \"%s\","
                    + " \"missing\": 0, \"modifier\": \"%s\"}}}",
                boost,
                field,
                modifier));
      }
    }
    List<String> text = fields.text();
    for (int a = 0; a < text.size(); a++) {
      for (int b = a + 1; b < text.size(); b++) {
        for (String type : List.of("best_fields", "most_fields", "cross_fields")) {
          multiMatch(
              type + "_" + text.get(a) + "_" + text.get(b) + "_" + boost,
              type,
              List.of(text.get(a), text.get(b)),
              boosted);
        }
      }
    }
  }

  private void matches() {
    for (String field : fields.text()) {
      query("match_" + field, Kind.MATCH, match("match", field, ""));
    }
    query("title_and", Kind.TITLE_MATCH, match("match", fields.title(), ", \"operator\": \"and\""));
    query(
        "title_msm",
        Kind.TITLE_MATCH,
        match("match", fields.title(), ", \"minimum_should_match\": \"75%\""));
  }

  private void phrases() {
    query("title_phrase", Kind.PHRASE, match("match_phrase", fields.title(), ""));
    query("body_phrase", Kind.PHRASE, match("match_phrase", fields.body(), ", \"slop\": 2"));
    String other = fields.otherText().getFirst();
    query(other + "_phrase", Kind.PHRASE, match("match_phrase", other, ""));
  }

  private void multiMatches() {
    multiMatch("best_fields", "best_fields", "");
    multiMatch("best_fields_tie", "best_fields", ", \"tie_breaker\": 0.3");
    multiMatch("cross_fields", "cross_fields", "");
    multiMatch("most_fields", "most_fields", "");
  }

  private void multiMatch(String name, String type, String option) {
    multiMatch(name, type, fields.text(), option);
  }

  private void multiMatch(String name, String type, List<String> over, String option) {
    query(name, Kind.MULTI_MATCH, DemoFeatures.multiMatch(type, over, option));
  }

  private void query(String name, Kind kind, String query) {
    ObjectNode definition = JSON.createObjectNode().put("name", name).put("type", "query");
    definition.set("query", JSON.readTree(query));
    features.add(new Feature(name, kind, definition, query));
  }

  /** Adds the value of each numeric field as a feature, and its logarithm except for the third. */
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

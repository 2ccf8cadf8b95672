// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Queries that {@link ScorePlan} does not divide, with the feature reader that they read instead of
 * the search's own.
 */
public class OtherQueriesTests extends RandomQueriesTestCase {
  /** Bodies of queries; see {@link #filled}. */
  private static final Map<String, List<String>> QUERIES =
      Map.ofEntries(
          Map.entry("prefix", List.of("{'$F': {'value': '$P', 'rewrite': '$R'}}")),
          Map.entry("wildcard", List.of("{'$F': {'value': '$P*', 'rewrite': '$R'}}")),
          Map.entry("regexp", List.of("{'$F': {'value': '$P.*', 'rewrite': '$R'}}")),
          Map.entry("fuzzy", List.of("{'$F': {'value': '$W', 'fuzziness': 2, 'rewrite': '$R'}}")),
          Map.entry(
              "span_near",
              List.of(
                  "{'clauses': [{'span_term': {'body': '$W'}}, {'span_term': {'body': '$W'}}],"
                      + " 'slop': $N, 'in_order': false}",
                  "{'clauses': [{'span_multi': {'match': {'prefix': {'body': '$P'}}}},"
                      + " {'span_term': {'body': '$W'}}], 'slop': $N}")),
          Map.entry(
              "span_not",
              List.of(
                  "{'include': {'span_term': {'body': '$W'}},"
                      + " 'exclude': {'span_term': {'body': '$W'}}, 'dist': 1}")),
          Map.entry("span_first", List.of("{'match': {'span_term': {'title': '$W'}}, 'end': $N}")),
          Map.entry(
              "intervals",
              List.of(
                  "{'body': {'match': {'query': '$W $W', 'max_gaps': $N, 'ordered': true}}}",
                  "{'body': {'any_of': {'intervals': [{'match': {'query': '$W'}},"
                      + " {'prefix': {'prefix': '$P'}}]}}}")),
          Map.entry(
              "combined_fields", List.of("{'query': '$W $W', 'fields': ['title^2', 'body']}")),
          Map.entry(
              "query_string",
              List.of(
                  "{'query': '$W AND ($W OR body:$P*)', 'fields': ['title', 'body^3']}",
                  "{'query': '\\\"$W $W\\\"~2 $W~1', 'default_field': 'body'}")),
          Map.entry(
              "simple_query_string",
              List.of("{'query': '$W + ($W | $P*)', 'fields': ['title', 'bare', 'tag']}")),
          Map.entry("match_bool_prefix", List.of("{'body': {'query': '$W $W $P'}}")),
          Map.entry("match_phrase_prefix", List.of("{'body': {'query': '$W $P', 'slop': $N}}")),
          Map.entry(
              "match",
              List.of(
                  "{'$F': {'query': '$W $W', 'fuzziness': 1, 'fuzzy_rewrite': '$R'}}",
                  "{'body': {'query': '$W $W $W', 'auto_generate_synonyms_phrase_query': false}}")),
          Map.entry(
              "multi_match",
              List.of(
                  "{'query': '$W $P', 'type': 'phrase_prefix', 'fields': ['title', 'body^2']}",
                  "{'query': '$W $P', 'type': 'bool_prefix', 'fields': ['title', 'body^2']}",
                  "{'query': '$W $W', 'type': 'phrase', 'fields': ['title', 'body^2']}")),
          Map.entry("terms", List.of("{'tag': ['$W', '$W', 'nowhere']}")),
          Map.entry("ids", List.of("{'values': ['1', '600', '650']}")),
          Map.entry("exists", List.of("{'field': '$F'}")),
          Map.entry("range", List.of("{'day': {'gte': '2020-01-1$N', 'boost': 2}}")),
          Map.entry("term", List.of("{'votes': {'value': $N, 'boost': 3}}")),
          Map.entry(
              "terms_set",
              List.of(
                  "{'body': {'terms': ['$W', '$W', 'early'],"
                      + " 'minimum_should_match_script': {'source': '1 + $N / 2'}}}")),
          Map.entry(
              "more_like_this",
              List.of(
                  "{'fields': ['title', 'body'], 'like': '$W $W $W', 'min_term_freq': 1,"
                      + " 'min_doc_freq': 1}")),
          Map.entry(
              "script_score",
              List.of(
                  "{'query': {'match': {'body': '$W $W'}},"
                      + " 'script': {'source': '_score * doc[\\\"votes\\\"].value + $N'}}")),
          Map.entry(
              "function_score",
              List.of(
                  "{'query': {'match': {'body': '$W $W'}}, 'functions': [{'gauss': {'day':"
                      + " {'origin': '2020-01-15', 'scale': '4d'}}, 'weight': 1.3},{'filter':"
                      + " {'term': {'tag': '$W'}}, 'weight': 2.$N},{'random_score': {'seed': $N,"
                      + " 'field': 'id'}}], 'score_mode': 'avg', 'boost_mode': 'multiply'}",
                  "{'query': {'match': {'title': '$W'}}, 'functions': ["
                      + "{'exp': {'place': {'origin': [1$N, 2], 'scale': '3000km'}}},"
                      + "{'script_score': {'script': 'Math.log(2 + doc[\\\"votes\\\"].value)'}}],"
                      + " 'score_mode': 'sum', 'boost_mode': 'sum', 'max_boost': 1.5}")),
          Map.entry(
              "distance_feature",
              List.of(
                  "{'field': 'day', 'origin': '2020-01-1$N', 'pivot': '3d'}",
                  "{'field': 'place', 'origin': [1$N, 20], 'pivot': '900km'}")),
          Map.entry(
              "nested",
              List.of(
                  "{'path': 'parts', 'score_mode': 'avg', 'query': {'match': {'parts.name': '$W"
                      + " $W'}}}",
                  "{'path': 'parts', 'score_mode': 'sum', 'query': {'function_score': {"
                      + "'query': {'match': {'parts.name': '$W'}},"
                      + " 'field_value_factor': {'field': 'parts.price', 'missing': 1}}}}",
                  "{'path': 'parts', 'score_mode': 'max', 'query': {'range': {'parts.price':"
                      + " {'gte': $N}}}}")));

  private static final List<String> REWRITES =
      List.of(
          "constant_score",
          "scoring_boolean",
          "constant_score_boolean",
          "top_terms_3",
          "top_terms_boost_3",
          "top_terms_blended_freqs_3");

  /**
   * Returns the body with random values: $F for a field, $W for a word, $P for a prefix, $R for a
   * rewriting of terms and $N for a digit.
   */
  private String filled(String body) {
    String filled = body.replace('\'', '"');
    while (filled.contains("$W")) {
      String word = random.nextInt(5) == 0 ? "early" : words(1);
      filled = filled.replaceFirst("\\$W", word);
    }
    return filled
        .replace("$F", field())
        .replace("$P", words(1).substring(0, random.nextInt(1, 4)))
        .replace("$R", REWRITES.get(random.nextInt(REWRITES.size())))
        .replace("$N", Integer.toString(random.nextInt(10)));
  }

  private List<String> queries() {
    return QUERIES.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(
            kind ->
                kind.getValue().stream()
                    .map(body -> "{\"%s\": %s}".formatted(kind.getKey(), filled(body))))
        .toList();
  }

  public void testAllKindsTogether() throws IOException {
    for (int i = 0; i < 5; i++) {
      List<String> queries = queries();
      matching = 0;
      assertScoresOfSearches(queries);
      assertTrue(matching + " of " + queries.size(), matching > queries.size() / 2);
    }
  }

  public void testAllKindsAsClauses() throws IOException {
    for (int i = 0; i < 5; i++) {
      List<String> queries = queries();
      assertScoresOfSearches(
          Stream.generate(
                  () ->
                      "{\"bool\": {\"must\": %s, \"should\": %s, \"minimum_should_match\": %s}}"
                          .formatted(
                              some(queries, random.nextInt(2)),
                              some(queries, 3),
                              random.nextInt(3)))
              .limit(40)
              .toList());
    }
  }

  private List<String> some(List<String> queries, int count) {
    return Stream.generate(() -> queries.get(random.nextInt(queries.size()))).limit(count).toList();
  }
}

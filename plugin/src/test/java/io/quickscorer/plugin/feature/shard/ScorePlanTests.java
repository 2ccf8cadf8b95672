// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Features of random queries beside the scores that searches for these queries give. */
public class ScorePlanTests extends RandomQueriesTestCase {
  private String fields() {
    List<String> fields = new ArrayList<>();
    for (String field : FIELDS) {
      if (random.nextInt(3) > 0 || field.equals("tag")) {
        fields.add("\"" + field + (random.nextInt(3) == 0 ? "^2.5" : "") + "\"");
      }
    }
    return fields.toString();
  }

  private String query(int depth) {
    return switch (random.nextInt(depth == 0 ? 9 : 14)) {
      case 0, 1 ->
          "{\"match\": {\"%s\": {\"query\": \"%s\"%s}}}".formatted(field(), text(), boost());
      case 2 ->
          "{\"match\": {\"%s\": {\"query\": \"%s\", \"operator\": \"and\"}}}"
              .formatted(field(), text());
      case 3 ->
          "{\"match\": {\"%s\": {\"query\": \"%s\", \"minimum_should_match\": \"%s\"%s}}}"
              .formatted(field(), text(), random.nextBoolean() ? "75%" : "2", boost());
      case 4 ->
          "{\"match_phrase\": {\"%s\": {\"query\": \"%s\", \"slop\": %s%s}}}"
              .formatted(
                  random.nextBoolean() ? "body" : "title", text(), random.nextInt(3), boost());
      case 5 ->
          "{\"multi_match\": {\"query\": \"%s\", \"type\": \"%s\", \"fields\": %s%s%s}}"
              .formatted(
                  text(),
                  List.of("best_fields", "most_fields", "cross_fields").get(random.nextInt(3)),
                  fields(),
                  random.nextBoolean() ? ", \"tie_breaker\": 0.3" : "",
                  boost());
      case 6 ->
          "{\"constant_score\": {\"filter\": {\"match\": {\"%s\": \"%s\"}}, \"boost\": 1.5}}"
              .formatted(field(), text());
      case 7 -> "{\"range\": {\"votes\": {\"gte\": %s}}}".formatted(random.nextInt(110));
      case 8 ->
          "{\"function_score\": {\"query\": {\"match\": {\"%s\": \"%s\"}}, \"field_value_factor\": {\"field\": \"votes\", \"modifier\": \"ln1p\"}}}"
              .formatted(field(), text());
      case 9 ->
          "{\"dis_max\": {\"queries\": [%s, %s, %s], \"tie_breaker\": %s%s}}"
              .formatted(
                  query(depth - 1),
                  query(depth - 1),
                  query(depth - 1),
                  new String[] {"0", "0.7", "1"}[random.nextInt(3)],
                  boost());
      case 10 ->
          "{\"boosting\": {\"positive\": %s, \"negative\": %s, \"negative_boost\": 0.3}}"
              .formatted(query(depth - 1), query(depth - 1));
      default -> bool(depth);
    };
  }

  private String bool(int depth) {
    StringBuilder bool = new StringBuilder("{\"bool\": {\"boost\": 1.25");
    int should = random.nextInt(4);
    for (String kind : List.of("must", "should", "filter", "must_not")) {
      int count = kind.equals("should") ? should : Math.max(0, random.nextInt(4) - 2);
      List<String> clauses = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        clauses.add(query(depth - 1));
      }
      bool.append(", \"").append(kind).append("\": ").append(clauses);
    }
    if (should > 1 && random.nextBoolean()) {
      bool.append(", \"minimum_should_match\": ").append(random.nextInt(should + 1));
    }
    return bool.append("}}").toString();
  }

  public void testEachAlone() throws IOException {
    for (int i = 0; i < 20; i++) {
      assertScoresOfSearches(List.of(query(2)));
    }
  }

  public void testManyTogether() throws IOException {
    for (int i = 0; i < 3; i++) {
      List<String> queries = new ArrayList<>();
      for (int q = 0; q < 30; q++) {
        queries.add(query(random.nextInt(3)));
      }
      assertScoresOfSearches(queries);
    }
  }

  /** Returns a query of a term that a segment often lacks. */
  private String rareTerm() {
    String text = List.of("early", "king", "star", "king star", words(1)).get(random.nextInt(5));
    return "{\"match\": {\"%s\": {\"query\": \"%s\", \"boost\": %s}}}"
        .formatted(
            List.of("title", "body", "tag").get(random.nextInt(3)),
            text,
            (float) random.nextDouble(0.1, 4));
  }

  private List<String> rareTerms(int count) {
    return Stream.generate(this::rareTerm).limit(count).toList();
  }

  /**
   * Clauses of terms that a segment lacks. If it has exactly the minimum number of optional
   * clauses, Lucene makes these required, and rounds the sum differently.
   */
  public void testMinimumWithRareTerms() throws IOException {
    for (int i = 0; i < 5; i++) {
      List<String> queries = new ArrayList<>();
      for (int q = 0; q < 30; q++) {
        int should = random.nextInt(3, 6);
        queries.add(
            """
            {"bool": {"must": %s, "should": %s, "filter": %s, "minimum_should_match": %s}}
            """
                .formatted(
                    rareTerms(random.nextInt(3)),
                    rareTerms(should),
                    rareTerms(random.nextInt(2)),
                    random.nextInt(1, should)));
      }
      assertScoresOfSearches(queries);
    }
  }

  /** The combinations of the same words that feature sets are made of. */
  public void testOneTextInManyWays() throws IOException {
    for (int i = 0; i < 4; i++) {
      String text = text();
      List<String> queries = new ArrayList<>();
      for (String field : FIELDS) {
        queries.add("{\"match\": {\"%s\": \"%s\"}}".formatted(field, text));
      }
      for (String type : List.of("best_fields", "most_fields", "cross_fields")) {
        for (String option : List.of("", ", \"tie_breaker\": 0.3", ", \"operator\": \"and\"")) {
          queries.add(
              "{\"multi_match\": {\"query\": \"%s\", \"type\": \"%s\", \"fields\": [\"title^2\", \"body\", \"notes\", \"tag\"]%s}}"
                  .formatted(text, type, option));
        }
      }
      queries.add("{\"match_phrase\": {\"body\": \"%s\"}}".formatted(text));
      queries.add(
          "{\"match_phrase\": {\"title\": {\"query\": \"%s\", \"slop\": 3}}}".formatted(text));
      assertScoresOfSearches(queries);
    }
    assertTrue(settled > 0);
  }
}

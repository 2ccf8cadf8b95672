// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.ShardFeaturesTestCase;
import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.lucene.search.Query;
import org.junit.Before;
import org.opensearch.index.query.QueryBuilder;

/** Features of random queries beside the scores that searches for these queries give. */
public class ScorePlanTests extends ShardFeaturesTestCase {
  private static final String[] WORDS = {"war", "peace", "love", "ship", "sea", "star", "king"};
  private static final String[] FIELDS = {"title", "body", "notes", "bare", "tag"};
  private static final String MAPPING =
      """
      {"properties": {
        "id": {"type": "integer"}, "title": {"type": "text"}, "body": {"type": "text"},
        "notes": {"type": "text", "similarity": "boolean"}, "tag": {"type": "keyword"},
        "bare": {"type": "text", "index_options": "docs", "norms": false},
        "votes": {"type": "integer"}}}
      """;

  private SplittableRandom random = new SplittableRandom(0);

  /** Queries that were not to be rewritten. */
  private int settled;

  @Before
  public void addDocuments() {
    random = new SplittableRandom(randomLong());
    createCatalogue(MAPPING);
    int id = 0;
    for (int segment = 0; segment < 4; segment++) {
      List<String> documents = new ArrayList<>();
      // Above a block's size in one segment, one document in another.
      int size = new int[] {600, 1, 20, 60}[segment];
      for (int i = 0; i < size; i++) {
        documents.add(
            "{\"id\": %s, \"title\": \"%s\", \"body\": \"%s\", \"notes\": \"%s\", \"bare\": \"%s\", \"tag\": \"%s\", \"votes\": %s}"
                .formatted(
                    id + i,
                    // A word that all but the first block of a segment lack.
                    words(random.nextInt(4)) + (i % 7 == 0 && i < 30 ? " early" : ""),
                    words(random.nextInt(20)) + (i % 5 == 0 && i < 20 ? " early" : ""),
                    words(random.nextInt(3)),
                    words(random.nextInt(3)),
                    words(1),
                    random.nextInt(100)));
      }
      add(id, documents);
      id += size;
    }
    for (int i = 0; i < 20; i++) {
      delete(random.nextInt(id));
    }
  }

  /** Some words more often than others, and one that is nowhere. */
  private String words(int count) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int word = Math.min(random.nextInt(WORDS.length), random.nextInt(WORDS.length));
      words.append(i == 0 ? "" : " ").append(WORDS[word]);
    }
    return words.toString();
  }

  private String text() {
    String first = random.nextInt(4) == 0 ? "early " : random.nextInt(6) == 0 ? "nowhere " : "";
    return first + words(random.nextInt(first.isEmpty() ? 1 : 0, 5));
  }

  private String field() {
    return FIELDS[random.nextInt(FIELDS.length)];
  }

  private String boost() {
    return random.nextInt(3) == 0
        ? String.format(Locale.ROOT, ", \"boost\": %s", (float) random.nextDouble(0, 4))
        : "";
  }

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

  private static String feature(int number, String query) {
    return "{\"name\": \"f%s\", \"type\": \"query\", \"query\": %s}".formatted(number, query);
  }

  private void assertScoresOfSearches(List<String> queries) throws IOException {
    List<String> features = new ArrayList<>();
    queries.forEach(query -> features.add(feature(features.size(), query)));
    BoundFeatures bound =
        BoundFeatures.bind(
            parse("{\"features\": " + features + "}"),
            name -> true,
            Map.of(),
            xContentRegistry(),
            RequestBudget.uncharged());
    onShard(
        (context, searcher) -> {
          Map<Integer, float[]> rows = rows(bound, context, searcher);
          Map<QueryBuilder, Map<Integer, Float>> searched = new HashMap<>();
          for (int f = 0; f < queries.size(); f++) {
            QueryBuilder builder = bound.queries().get(bound.features().get(f).query());
            Map<Integer, Float> scores = searched.get(builder);
            if (scores == null) {
              Query query = context.toQuery(builder).query();
              if (SettledQueries.isSettled(query)) {
                assertSame(query, searcher.rewrite(query));
                settled++;
              }
              scores = scores(query, searcher);
              searched.put(builder, scores);
            }
            for (Map.Entry<Integer, float[]> row : rows.entrySet()) {
              float expected = scores.getOrDefault(row.getKey(), Float.NaN);
              if (Float.floatToIntBits(expected) != Float.floatToIntBits(row.getValue()[f])) {
                fail(
                    queries.get(f)
                        + "\ndocument "
                        + row.getKey()
                        + ": "
                        + row.getValue()[f]
                        + ", a search gives "
                        + expected);
              }
            }
          }
          return null;
        });
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

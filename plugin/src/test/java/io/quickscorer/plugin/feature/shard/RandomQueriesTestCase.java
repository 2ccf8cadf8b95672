// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.ShardFeaturesTestCase;
import io.quickscorer.plugin.testing.FreeBudget;
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

/** Random queries over documents of a few words, as features and as searches. */
public abstract class RandomQueriesTestCase extends ShardFeaturesTestCase {
  static final String[] WORDS = {"war", "peace", "love", "ship", "sea", "star", "king"};
  static final String[] FIELDS = {"title", "body", "notes", "bare", "tag"};
  private static final String MAPPING =
      """
      {"properties": {
        "id": {"type": "integer"}, "title": {"type": "text"}, "body": {"type": "text"},
        "notes": {"type": "text", "similarity": "boolean"}, "tag": {"type": "keyword"},
        "bare": {"type": "text", "index_options": "docs", "norms": false},
        "votes": {"type": "integer"}, "day": {"type": "date"}, "place": {"type": "geo_point"},
        "parts": {"type": "nested", "properties": {
          "name": {"type": "text"}, "price": {"type": "integer"}}}}}
      """;

  SplittableRandom random = new SplittableRandom(0);

  /** Queries that were not to be rewritten. */
  int settled;

  /** Queries that matched a document. */
  int matching;

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
            """
            {"id": %s, "title": "%s", "body": "%s", "notes": "%s", "bare": "%s", "tag": "%s", "votes": %s,
             "day": "2020-01-%s", "place": [%s, %s], "parts": %s}
            """
                .formatted(
                    id + i,
                    // A word that all but the first block of a segment lack.
                    words(random.nextInt(4)) + (i % 7 == 0 && i < 30 ? " early" : ""),
                    words(random.nextInt(20)) + (i % 5 == 0 && i < 20 ? " early" : ""),
                    words(random.nextInt(3)),
                    words(random.nextInt(3)),
                    words(1),
                    random.nextInt(100),
                    random.nextInt(10, 29),
                    random.nextInt(-180, 180),
                    random.nextInt(-90, 90),
                    parts())
                .replace("\n", ""));
      }
      add(id, documents);
      id += size;
    }
    for (int i = 0; i < 20; i++) {
      delete(random.nextInt(id));
    }
  }

  private List<String> parts() {
    return Stream.generate(
            () ->
                "{\"name\": \"%s\", \"price\": %s}"
                    .formatted(words(random.nextInt(3)), random.nextInt(10)))
        .limit(random.nextInt(3))
        .toList();
  }

  /** Some words more often than others, and one that is nowhere. */
  final String words(int count) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int word = Math.min(random.nextInt(WORDS.length), random.nextInt(WORDS.length));
      words.append(i == 0 ? "" : " ").append(WORDS[word]);
    }
    return words.toString();
  }

  final String text() {
    String first = random.nextInt(4) == 0 ? "early " : random.nextInt(6) == 0 ? "nowhere " : "";
    return first + words(random.nextInt(first.isEmpty() ? 1 : 0, 5));
  }

  final String field() {
    return FIELDS[random.nextInt(FIELDS.length)];
  }

  final String boost() {
    return random.nextInt(3) == 0
        ? String.format(Locale.ROOT, ", \"boost\": %s", (float) random.nextDouble(0, 4))
        : "";
  }

  private static String feature(int number, String query) {
    return "{\"name\": \"f%s\", \"type\": \"query\", \"query\": %s}".formatted(number, query);
  }

  final void assertScoresOfSearches(List<String> queries) throws IOException {
    List<String> features = new ArrayList<>();
    queries.forEach(query -> features.add(feature(features.size(), query)));
    BoundFeatures bound =
        BoundFeatures.bind(
            parse("{\"features\": " + features + "}"),
            name -> true,
            Map.of(),
            xContentRegistry(),
            FreeBudget.create());
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
              matching += scores.isEmpty() ? 0 : 1;
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
}

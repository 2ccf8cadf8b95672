// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.ShardFeaturesTestCase;
import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.Before;
import org.opensearch.index.query.QueryBuilder;

/**
 * Numbers of fields in all the ways in which queries and features read them, together, beside the
 * scores or the errors of searches.
 */
public class FieldFunctionTests extends ShardFeaturesTestCase {
  private static final List<String> MODIFIERS =
      List.of(
          "none", "log", "log1p", "log2p", "ln", "ln1p", "ln2p", "square", "sqrt", "reciprocal");
  private static final List<String> MODES =
      List.of("multiply", "replace", "sum", "avg", "max", "min");
  private static final List<String> FIELDS =
      List.of("votes", "price", "weight", "many", "sparse", "flag", "day");
  private static final String MAPPING =
      """
      {"properties": {
        "id": {"type": "integer"}, "title": {"type": "text"}, "votes": {"type": "integer"},
        "price": {"type": "float"}, "weight": {"type": "half_float"}, "many": {"type": "double"},
        "sparse": {"type": "short"}, "flag": {"type": "boolean"},
        "day": {"type": "date"}, "signed": {"type": "long"}}}
      """;

  private SplittableRandom random = new SplittableRandom(0);

  @Before
  public void addDocuments() {
    random = new SplittableRandom(randomLong());
    createCatalogue(MAPPING);
    int id = 0;
    for (int size : new int[] {530, 1, 40}) {
      List<String> documents = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        documents.add(document(id + i));
      }
      add(id, documents);
      id += size;
    }
    for (int i = 0; i < 15; i++) {
      delete(random.nextInt(id));
    }
  }

  private String document(int id) {
    StringBuilder json = new StringBuilder("{\"id\": ").append(id);
    json.append(", \"title\": \"").append(random.nextBoolean() ? "war" : "peace war");
    json.append("\", \"votes\": ").append(random.nextInt(100));
    json.append(", \"price\": ").append((float) random.nextDouble(0, 1000));
    json.append(", \"weight\": ").append(random.nextInt(1, 9));
    json.append(", \"flag\": ").append(random.nextBoolean());
    json.append(", \"day\": ").append(random.nextLong(1L << 40));
    json.append(", \"signed\": ").append(random.nextInt(-5, 6));
    if (random.nextInt(3) == 0) {
      json.append(", \"sparse\": ").append(random.nextInt(1, 50));
    }
    json.append(", \"many\": [").append(random.nextDouble(1, 9));
    for (int i = random.nextInt(3); i > 0; i--) {
      json.append(", ").append(random.nextDouble(1, 9));
    }
    return json.append("]}").toString();
  }

  private <T> T one(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private String factor(String field, String modifier) {
    String function = "\"field\": \"" + field + "\", \"modifier\": \"" + modifier + "\"";
    if (field.equals("sparse") || random.nextBoolean()) {
      function += ", \"missing\": " + random.nextInt(1, 4);
    }
    if (random.nextBoolean()) {
      function += ", \"factor\": " + (float) random.nextDouble(1, 3);
    }
    return "\"field_value_factor\": {" + function + "}";
  }

  /** A query that gives no error. */
  private String query() {
    String field = one(FIELDS);
    // Below 1 a logarithm is negative, of 0 a reciprocal infinite: those are errors.
    List<String> safe =
        field.equals("votes") || field.equals("flag") || field.equals("price")
            ? List.of("none", "log1p", "log2p", "ln1p", "ln2p", "square", "sqrt")
            : List.of("none", "log1p", "log2p", "ln1p", "ln2p", "square", "sqrt", "ln", "log");
    String inner = random.nextInt(3) == 0 ? "\"query\": {\"match\": {\"title\": \"peace\"}}, " : "";
    String boost = random.nextInt(3) == 0 ? "\"boost\": 1.7, " : "";
    String mode = random.nextBoolean() ? "\"boost_mode\": \"" + one(MODES) + "\", " : "";
    String options = inner + boost + mode;
    return switch (random.nextInt(9)) {
      case 0 -> "{\"match_all\": {\"boost\": 2.5}}";
      case 1 ->
          "{\"function_score\": {%s \"functions\": [{%s, \"weight\": 2}]}}"
              .formatted(options, factor(field, one(safe)));
      case 2 ->
          "{\"function_score\": {%s \"gauss\": {\"votes\": {\"origin\": 30, \"scale\": 10}}}}"
              .formatted(options);
      case 3 ->
          "{\"function_score\": {%s \"script_score\": {\"script\": \"Math.log1p(doc['votes'].value) + doc['weight'].value\"}}}"
              .formatted(options);
      case 4 ->
          "{\"script_score\": {\"query\": {\"match_all\": {}}, \"script\": {\"source\":"
              + " \"doc['price'].value * 2 + doc['votes'].value\"}}}";
      case 5 ->
          "{\"function_score\": {%s \"max_boost\": 3, %s}}"
              .formatted(options, factor(field, one(safe)));
      case 6 ->
          "{\"bool\": {\"should\": [{\"range\": {\"votes\": {\"gte\": 40}}}, {\"function_score\": {%s}}]}}"
              .formatted(factor(field, one(safe)));
      default -> "{\"function_score\": {%s %s}}".formatted(options, factor(field, one(safe)));
    };
  }

  private BoundFeatures bound(List<String> queries) throws IOException {
    List<String> features = new ArrayList<>();
    for (String query : queries) {
      features.add(
          "{\"name\": \"f%s\", \"type\": \"query\", \"query\": %s}"
              .formatted(features.size(), query));
    }
    for (String field : FIELDS) {
      features.add(
          "{\"name\": \"%s\", \"type\": \"field\", \"field\": \"%s\"}".formatted(field, field));
    }
    return BoundFeatures.bind(
        parse("{\"features\": " + features + "}"),
        name -> true,
        Map.of(),
        xContentRegistry(),
        FreeBudget.create());
  }

  public void testScoresOfSearches() throws IOException {
    for (int round = 0; round < 6; round++) {
      List<String> queries = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        queries.add(query());
      }
      BoundFeatures bound = bound(queries);
      onShard(
          (context, searcher) -> {
            Map<Integer, float[]> rows = rows(bound, context, searcher);
            for (int f = 0; f < queries.size(); f++) {
              QueryBuilder builder = bound.queries().get(bound.features().get(f).query());
              Map<Integer, Float> scores = scores(context.toQuery(builder).query(), searcher);
              for (Map.Entry<Integer, float[]> row : rows.entrySet()) {
                float expected = scores.getOrDefault(row.getKey(), Float.NaN);
                assertEquals(
                    queries.get(f) + " of document " + row.getKey(),
                    Float.floatToIntBits(expected),
                    Float.floatToIntBits(row.getValue()[f]));
              }
            }
            return null;
          });
    }
  }

  /** The server takes the two queries for equal. */
  public void testMissingTellsFunctionsApart() throws IOException {
    String query =
        "{\"function_score\": {\"field_value_factor\": {\"field\": \"sparse\", \"missing\": %s}}}";
    for (Map.Entry<Integer, float[]> row :
        onShardRows(List.of(query.formatted(100), query.formatted(200))).entrySet()) {
      float sparse = row.getValue()[2 + FIELDS.indexOf("sparse")];
      assertEquals(Float.isNaN(sparse) ? 100 : sparse, row.getValue()[0], 0);
      assertEquals(Float.isNaN(sparse) ? 200 : sparse, row.getValue()[1], 0);
    }
  }

  private Map<Integer, float[]> onShardRows(List<String> queries) throws IOException {
    BoundFeatures bound = bound(queries);
    return onShard((context, searcher) -> rows(bound, context, searcher));
  }

  /** Negative values, logarithms of them, and none where there must be one. */
  public void testErrorsOfSearches() throws IOException {
    List<String> functions = new ArrayList<>();
    for (String modifier : MODIFIERS) {
      functions.add("\"field\": \"signed\", \"modifier\": \"" + modifier + "\"");
    }
    functions.add("\"field\": \"sparse\"");
    for (String function : functions) {
      String query = "{\"function_score\": {\"field_value_factor\": {" + function + "}}}";
      BoundFeatures bound = bound(List.of(query));
      onShard(
          (context, searcher) -> {
            String expected;
            try {
              scores(context.toQuery(bound.queries().getFirst()).query(), searcher);
              expected = "none";
            } catch (RuntimeException e) {
              expected = IllegalArgumentException.class + ": feature [f0]: " + e.getMessage();
            }
            String found;
            try {
              rows(bound, context, searcher);
              found = "none";
            } catch (RuntimeException e) {
              found = e.getClass() + ": " + e.getMessage();
            }
            assertEquals(function, expected, found);
            return null;
          });
    }
  }
}

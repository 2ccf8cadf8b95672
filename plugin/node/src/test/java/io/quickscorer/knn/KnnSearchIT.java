// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.knn;

import static io.quickscorer.knn.KnnNode.API;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.Ranked;
import io.quickscorer.node.RunningNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What {@code knn} queries of the real plugin find is ranked by clauses and by both processors. */
@EnabledIfSystemProperty(named = "knn.home", matches = ".+", disabledReason = "-Pknn")
final class KnnSearchIT {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final VectorField FIELD = VectorField.LUCENE_COSINE;
  private static final List<String> WORDS = List.of("red", "blue", "ship", "sail", "war");
  private static final int SEARCHES = 20;
  private static final int WINDOW = 30;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path data;

  private static RunningNode node;
  private static NodeClient client;

  private final SplittableRandom random = new SplittableRandom(SEED);

  @BeforeAll
  static void indexDocuments() throws Exception {
    System.out.println("-Dtests.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    node = KnnNode.start(data);
    client = node.client();
    KnnNode.createIndex(
        client,
        "shop",
        "\"index.knn\":true",
        "\"title\":{\"type\":\"text\"},\"popularity\":{\"type\":\"double\"}," + FIELD.mapping());
    StringBuilder bulk = new StringBuilder();
    for (int id = 0; id < 300; id++) {
      bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n");
      bulk.append(
          "{\"title\":\"%s %s\",\"popularity\":%s,\"%s\":%s}\n"
              .formatted(
                  word(random), word(random), random.nextDouble(), FIELD, FIELD.vector(random)));
    }
    client.post("/shop/_bulk?refresh=true", bulk.toString());
    client.put(
        API + "/feature_sets/shop",
        """
        {"features": [
          {"name": "first", "type": "first_pass_score"},
          {"name": "title", "type": "query", "query": {"match": {"title": "{{words}}"}}, "missing": 0},
          {"name": "popularity", "type": "field", "field": "popularity"},
          {"name": "distance", "type": "vector", "field": "%s", "param": "q", "similarity": "l2"}]}
        """
            .formatted(FIELD));
    client.put(
        API + "/models/shop?format=linear_json&feature_set=shop",
        "{\"first\": 0.25, \"title\": 1.5, \"popularity\": 2.5, \"distance\": -0.125}");
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static String word(SplittableRandom random) {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  /**
   * What finds the hits: neighbours of a vector, alone or beside words, or all scores by script.
   */
  private static String query(int kind, String words, List<Number> vector) {
    String knn = "{\"knn\":{\"%s\":{\"vector\":%s,\"k\":40}}}".formatted(FIELD, vector);
    return switch (kind) {
      case 0 -> knn;
      case 1 -> "{\"bool\":{\"should\":[{\"match\":{\"title\":\"%s\"}},%s]}}".formatted(words, knn);
      default ->
          "{\"script_score\":{\"query\":{\"match\":{\"title\":\"%s\"}},\"script\":{\"source\":\"1 + cosineSimilarity(params.v, doc['%s'])\",\"params\":{\"v\":%s}}}}"
              .formatted(words, FIELD, vector);
    };
  }

  private static JsonNode search(String pipeline, String body) {
    return client.post("/shop/_search?search_pipeline=" + pipeline, body);
  }

  /**
   * Hits of {@code knn} queries, fused with words or not, get the clause's scores as they stand.
   */
  @Test
  void responseProcessorRanksThem() {
    client.put(
        "/_search/pipeline/hits",
        "{\"response_processors\":[{\"quickscorer\":{\"model\":\"shop\",\"log\":true,\"window_size\":%s}}]}"
            .formatted(WINDOW));
    int moved = 0;
    for (int i = 0; i < SEARCHES; i++) {
      String words = word(random) + " " + word(random);
      List<Number> vector = FIELD.vector(random);
      String params = "{\"words\":\"%s\",\"q\":%s}".formatted(words, vector);
      String query = query(i % 3, words, vector);
      String found = "{\"size\":%s,\"query\":%s".formatted(WINDOW, query);
      List<Ranked> first = Ranked.of(search("_none", found + "}"));
      List<Ranked> byClause =
          Ranked.of(
              search(
                  "_none",
                  found
                      + ",\"rescore\":{\"window_size\":%s,\"quickscorer\":{\"model\":\"shop\",\"scope\":\"global\",\"log\":true,\"params\":%s}}}"
                          .formatted(WINDOW, params)));
      List<Ranked> ranked =
          Ranked.of(
              search("hits", found + ",\"ext\":{\"quickscorer\":{\"params\":" + params + "}}}"));
      assertEquals(WINDOW, ranked.size());
      assertEquals(Ranked.places(byClause), Ranked.places(ranked));
      Map<String, Float> standing =
          first.stream().collect(Collectors.toMap(Ranked::id, Ranked::score));
      for (Ranked hit : ranked) {
        assertEquals(standing.get(hit.id()), hit.features()[0]);
      }
      moved += Ranked.places(first).equals(Ranked.places(ranked)) ? 0 : 1;
    }
    assertNotEquals(0, moved);
  }

  /** Text and vector are taken from the query, so that the client says them once. */
  @Test
  void requestProcessorTakesTextAndVectorFromTheQuery() {
    client.put(
        "/_search/pipeline/vectors",
        "{\"request_processors\":[{\"quickscorer\":{\"model\":\"shop\",\"window_size\":%s,\"params_from\":{\"words\":{\"query_text\":[\"match\"]},\"q\":{\"path\":\"query.bool.should.*.knn.%s.vector\"}}}}]}"
            .formatted(WINDOW, FIELD));
    for (int i = 0; i < SEARCHES; i++) {
      String words = word(random) + " " + word(random);
      List<Number> vector = FIELD.vector(random);
      String found = "{\"size\":%s,\"query\":%s".formatted(WINDOW, query(1, words, vector));
      List<Ranked> byClause =
          Ranked.of(
              search(
                  "_none",
                  found
                      + ",\"rescore\":{\"window_size\":%s,\"quickscorer\":{\"model\":\"shop\",\"params\":{\"words\":\"%s\",\"q\":%s}}}}"
                          .formatted(WINDOW, words, vector)));
      JsonNode answer = search("vectors", found + "}");
      assertEquals(
          "shop", answer.at("/ext/quickscorer/0/models/0/name").asString(), answer::toString);
      assertEquals(Ranked.places(byClause), Ranked.places(Ranked.of(answer)));
    }
  }

  /** Vectors of nested documents are had by a nested query that scores by the plugin's function. */
  @Test
  void nestedVectorsAreHadByAQuery() {
    KnnNode.createIndex(
        client,
        "nested",
        "\"index.knn\":true",
        "\"parts\":{\"type\":\"nested\",\"properties\":{" + FIELD.mapping() + "}}");
    List<Number> query = FIELD.vector(random);
    Map<String, Float> expected = new HashMap<>();
    StringBuilder bulk = new StringBuilder();
    for (int id = 0; id < 50; id++) {
      List<String> parts = new ArrayList<>();
      float best = 0;
      for (int part = 0; part < 3; part++) {
        List<Number> vector = FIELD.vector(random);
        float squares = 0;
        for (int i = 0; i < vector.size(); i++) {
          float difference = vector.get(i).floatValue() - query.get(i).floatValue();
          squares += difference * difference;
        }
        best = Math.max(best, 1f / (1 + squares));
        parts.add("{\"%s\":%s}".formatted(FIELD, vector));
      }
      expected.put(Integer.toString(id), best);
      bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n");
      bulk.append("{\"parts\":").append(parts).append("}\n");
    }
    client.post("/nested/_bulk?refresh=true", bulk.toString());
    client.put(
        API + "/feature_sets/nested",
        """
        {"features": [
          {"name": "best", "type": "query", "query": "{\\"nested\\": {\\"path\\": \\"parts\\", \\"score_mode\\": \\"max\\", \\"query\\": {\\"script_score\\": {\\"query\\": {\\"match_all\\": {}}, \\"script\\": {\\"source\\": \\"1 / (1 + l2Squared(params.q, doc['parts.%1$s']))\\", \\"params\\": {\\"q\\": {{#toJson}}q{{/toJson}}}}}}}}"}]}
        """
            .formatted(FIELD));
    JsonNode answer =
        client.post(
            "/nested/_search",
            "{\"size\":50,\"rescore\":{\"quickscorer\":{\"feature_set\":\"nested\",\"params\":{\"q\":%s}}}}"
                .formatted(query));
    List<Ranked> hits = Ranked.of(answer);
    assertEquals(50, hits.size());
    for (Ranked hit : hits) {
      assertEquals(expected.get(hit.id()), hit.features()[0], 1e-7f);
    }
    client.put(
        API + "/feature_sets/nested",
        """
        {"features": [{"name": "v", "type": "vector", "field": "parts.%s", "param": "q", "similarity": "l2"}]}
        """
            .formatted(FIELD));
    NodeClient.Answer refused =
        client.send(
            "POST",
            "/nested/_search",
            "{\"rescore\":{\"quickscorer\":{\"feature_set\":\"nested\",\"params\":{\"q\":%s}}}}"
                .formatted(query));
    assertEquals(400, refused.status(), refused::toString);
    assertTrue(refused.body().toString().contains("is inside nested objects [parts]"));
  }
}

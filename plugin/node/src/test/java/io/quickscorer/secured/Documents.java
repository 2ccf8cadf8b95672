// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.secured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * The index {@code docs}, a feature set over it, and what a customer may see of both: the documents
 * of which {@code owner} is ben, no {@code secret}, and {@code name} masked.
 */
final class Documents {
  static final String INDEX = "/docs";
  static final String API = "/_plugins/_quickscorer";
  static final int COUNT = 2_000;
  static final int OWN = 200;
  static final int HITS = 50;

  /** Features: what decides, what is hidden from customers, and what a script makes of it. */
  private static final String FEATURE_SET =
      """
      {"features": [
        {"name": "p", "type": "field", "field": "p"},
        {"name": "secret", "type": "field", "field": "secret"},
        {"name": "scripted", "type": "script", "script": {
          "source": "doc['secret'].size() == 0 ? 0 : doc['secret'].value"}}]}
      """;

  private Documents() {}

  /** Makes index and feature set {@code f}. */
  static void create(NodeClient admin) {
    admin.put(
        INDEX,
        """
        {"settings": {"number_of_shards": 2, "number_of_replicas": 0}, "mappings": {"properties": {
          "p": {"type": "integer"}, "secret": {"type": "integer"},
          "owner": {"type": "keyword"}, "name": {"type": "keyword"}}}}
        """);
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < COUNT; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      bulk.append(
          String.format(
              Locale.ROOT,
              "{\"p\":%d,\"secret\":%d,\"owner\":\"%s\",\"name\":\"name-%d\"}%n",
              i % NumberedTrees.VALUES,
              i + 1,
              i % (COUNT / OWN) == 0 ? "ben" : "anna",
              i));
    }
    admin.post(INDEX + "/_bulk?refresh=true", bulk.toString());
    admin.put(API + "/feature_sets/f", FEATURE_SET);
  }

  /** A search that shows as much as a search can. */
  static String search(String clause) {
    return """
    {"size": %s, "track_total_hits": true, "query": {"match_all": {}},
     "docvalue_fields": ["secret", "owner"], "aggs": {"owners": {"terms": {"field": "owner"}}},
     "rescore": {"window_size": 100, "quickscorer": {%s}}}
    """
        .formatted(HITS, clause);
  }

  /** The answer shows a customer what is his, and nothing else. */
  static void assertCustomersOnly(JsonNode answer) {
    assertEquals(OWN, answer.at("/hits/total/value").asInt(), answer::toString);
    assertEquals(HITS, answer.at("/hits/hits").size(), answer::toString);
    for (JsonNode hit : answer.at("/hits/hits")) {
      JsonNode source = hit.get("_source");
      assertEquals("ben", source.get("owner").asString(), answer::toString);
      assertFalse(source.has("secret"), answer::toString);
      assertFalse(hit.at("/fields").has("secret"), answer::toString);
      assertFalse(source.get("name").asString().startsWith("name-"), answer::toString);
      JsonNode features = hit.at("/fields/_quickscorer/0/features");
      if (!features.isMissingNode()) {
        assertTrue(features.get(1).isNull(), answer::toString);
        assertEquals(0, features.get(2).asInt(), answer::toString);
      }
    }
    JsonNode owners = answer.at("/aggregations/owners/buckets");
    assertEquals(1, owners.size(), answer::toString);
    assertEquals(OWN, owners.at("/0/doc_count").asInt(), answer::toString);
  }

  /** The answer shows everything, as to somebody without rules. */
  static void assertEverything(JsonNode answer) {
    assertEquals(COUNT, answer.at("/hits/total/value").asInt(), answer::toString);
    assertEquals(2, answer.at("/aggregations/owners/buckets").size(), answer::toString);
    for (JsonNode hit : answer.at("/hits/hits")) {
      int secret = hit.at("/_source/secret").asInt();
      assertTrue(secret > 0, answer::toString);
      assertEquals("name-" + (secret - 1), hit.at("/_source/name").asString(), answer::toString);
      JsonNode features = hit.at("/fields/_quickscorer/0/features");
      if (!features.isMissingNode()) {
        assertEquals(secret, features.get(1).asInt(), answer::toString);
        assertEquals(secret, features.get(2).asInt(), answer::toString);
      }
    }
  }
}

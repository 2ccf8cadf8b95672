// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Data that shards send for the ranking of all shards together: it meets no field of a request. */
public class CarriedHitsTests extends GlobalTestCase {
  private static List<?> hitList(Object hits) {
    return (List<?>) ((Map<?, ?>) hits).get("hits");
  }

  private static List<String> heads(Map<String, Object> answer) {
    return hitList(answer.get("hits")).stream()
        .map(hit -> ((Map<?, ?>) hit).get("_id") + "=" + ((Map<?, ?>) hit).get("_score"))
        .toList();
  }

  public void testGroupsAreMadeOfStoredValues() throws Exception {
    createIndices();
    putModel("m", 15);
    for (String field : List.of("tag", "popularity", "released", "listed")) {
      String clause = body(0, 50, "war sea", DOCUMENTS, "\"scope\":\"global\"");
      String collapse = ",\"collapse\":{\"field\":\"" + field + "\"}%s}";
      String body = clause.substring(0, clause.lastIndexOf('}')) + collapse;
      List<String> expected = heads(call("POST", "/of5/_search", body.formatted("")));
      long values =
          sources.stream().map(source -> String.valueOf(source.get(field))).distinct().count();
      assertEquals(field, values, expected.size());
      for (String fields :
          List.of(
              ",\"docvalue_fields\":[\"" + field + "\"]",
              ",\"fields\":[\"" + field + "\"]",
              ",\"docvalue_fields\":[\"t*g\",\"re*ed\"]",
              ",\"fields\":[{\"field\":\"released\",\"format\":\"yyyy\"}]",
              ",\"stored_fields\":\"_none_\",\"docvalue_fields\":[\"" + field + "\"]")) {
        Map<String, Object> answer = call("POST", "/of5/_search", body.formatted(fields));
        assertEquals(
            fields,
            expected.stream().map(head -> head.substring(head.indexOf('='))).toList(),
            heads(answer).stream().map(head -> head.substring(head.indexOf('='))).toList());
        assertFalse(answer.toString(), answer.toString().contains("_quickscorer"));
      }
    }
  }

  public void testInnerHitsOfAnySizeHaveTheModelsScores() throws Exception {
    createIndices();
    putModel("m", 15);
    String clause = body(0, 50, "war sea", DOCUMENTS, "\"scope\":\"global\"");
    Map<String, Object> scores =
        search("/of5/_search", body(0, DOCUMENTS, "war sea", DOCUMENTS, "\"scope\":\"global\""))
            .stream()
            .collect(Collectors.toMap(Hit::id, Hit::score));
    Map<String, Object> answer =
        call(
            "POST",
            "/of5/_search",
            clause.substring(0, clause.lastIndexOf('}'))
                + ",\"collapse\":{\"field\":\"tag\",\"inner_hits\":{\"name\":\"x\",\"from\":1,\"size\":2147483647}}}");
    int shown = 0;
    for (Object head : hitList(answer.get("hits"))) {
      Map<?, ?> inner = (Map<?, ?>) ((Map<?, ?>) head).get("inner_hits");
      for (Object hit : hitList(((Map<?, ?>) inner.get("x")).get("hits"))) {
        assertEquals(scores.get(((Map<?, ?>) hit).get("_id")), ((Map<?, ?>) hit).get("_score"));
        shown++;
      }
    }
    assertEquals(DOCUMENTS, shown + hitList(answer.get("hits")).size());
  }

  public void testInnerHitsOfNestedDocumentsAreTheServers() throws Exception {
    createIndices();
    putModel("m", 15);
    for (String index : List.of("of1", "of5")) {
      call(
          "PUT",
          "/" + index + "/_mapping",
          "{\"properties\":{\"kids\":{\"type\":\"nested\",\"properties\":{\"name\":{\"type\":\"text\"}}}}}");
      for (int i = 0; i < 6; i++) {
        Map<String, Object> document = sources.get(i);
        document.put("kids", List.of(Map.of("name", "war"), Map.of("name", "war and peace")));
        call("PUT", "/" + index + "/_doc/" + i + "?refresh=true", json(document));
      }
      String query =
          "{\"nested\":{\"path\":\"kids\",\"query\":{\"match\":{\"kids.name\":\"war\"}},\"inner_hits\":{\"explain\":true}}}";
      for (String scope : List.of("global", "shard")) {
        for (boolean log : List.of(false, true)) {
          Map<String, Object> answer =
              call(
                  "POST",
                  "/" + index + "/_search",
                  "{\"explain\":true,\"size\":20,\"query\":%s,\"rescore\":{\"window_size\":100,\"quickscorer\":{\"model\":\"m\",\"scope\":\"%s\",\"log\":%s,\"params\":{\"q\":\"war\",\"nowhere\":\"x\"}}}}"
                      .formatted(query, scope, log));
          assertEquals(6, hitList(answer.get("hits")).size());
          for (Object hit : hitList(answer.get("hits"))) {
            assertExplained((Map<?, ?>) hit);
            Map<?, ?> inner = (Map<?, ?>) ((Map<?, ?>) hit).get("inner_hits");
            List<?> kids = hitList(((Map<?, ?>) inner.get("kids")).get("hits"));
            assertEquals(2, kids.size());
            for (Object kid : kids) {
              assertExplained((Map<?, ?>) kid);
              assertNull(((Map<?, ?>) kid).get("fields"));
            }
          }
        }
      }
    }
  }

  private static void assertExplained(Map<?, ?> hit) {
    float score = ((Number) hit.get("_score")).floatValue();
    Object value = ((Map<?, ?>) hit.get("_explanation")).get("value");
    assertEquals(score, ((Number) value).floatValue(), Math.abs(score) * 1e-5f);
  }

  /** A page of one hit leaves the rows of the other shards without a fetch phase. */
  public void testNothingIsHeldWhileAPointInTimeStaysOpen() throws Exception {
    createIndices();
    putModel("m", 15);
    Object pit = call("POST", "/of5/_search/point_in_time?keep_alive=5m", null).get("pit_id");
    try {
      List<String> clauses = new ArrayList<>(List.of("\"log\":true", "\"scope\":\"global\""));
      for (String clause : clauses) {
        String body = body(59, 1, "war sea", 60, clause);
        for (int i = 0; i < 5; i++) {
          call("POST", "/_search", "{\"pit\":{\"id\":\"" + pit + "\"}," + body.substring(1));
        }
      }
      assertNothingHeld();
    } finally {
      call("DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + pit + "\"]}");
    }
  }

  public void testInterleavingNeedsIds() throws Exception {
    createIndices();
    putModel("m", 15);
    putModel("n", 15);
    Map.Entry<Integer, String> failed =
        failure(
            "/of5/_search",
            "{\"stored_fields\":\"_none_\",\"query\":%s,\"rescore\":{\"window_size\":20,\"quickscorer\":{\"models\":[\"m\",\"n\"],\"interleave\":{\"seed\":7},\"params\":{\"q\":\"war\",\"nowhere\":\"x\"}}}}"
                .formatted(query("war")));
    assertEquals(400, (int) failed.getKey());
    assertTrue(failed.getValue(), failed.getValue().contains("[interleave] needs the ids"));
  }
}

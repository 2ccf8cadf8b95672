// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.After;
import org.opensearch.common.settings.Settings;

/** Searches that neither processor ranks, and what reaches the search for the hits' features. */
public class LeftAloneTests extends GlobalTestCase {
  private static final String FROM =
      "\"params\":{\"nowhere\":\"x\"},\"params_from\":{\"q\":{\"query_text\":[\"match\"]}}";
  private static final String MATCH =
      "\"query\":{\"bool\":{\"should\":[{\"match_all\":{}},{\"match\":{\"body\":\"war\"}}]}}";

  @After
  public void pipelinesAreDeleted() throws IOException {
    call("DELETE", "/_search/pipeline/*", null);
  }

  /** Pipelines {@code request} and {@code response}, the same but for the place. */
  private static void putPipelines(String processor) throws IOException {
    for (String place : List.of("request", "response")) {
      call(
          "PUT",
          "/_search/pipeline/" + place,
          "{\"%s_processors\":[{\"quickscorer\":{\"scope\":\"global\",%s}}]}"
              .formatted(place, processor));
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> ext(Map<String, Object> answer) {
    return (Map<String, Object>)
        ((List<?>) ((Map<?, ?>) answer.get("ext")).get("quickscorer")).get(0);
  }

  private static List<?> hitList(Map<String, Object> answer) {
    return (List<?>) ((Map<?, ?>) answer.get("hits")).get("hits");
  }

  public void testBothProcessorsLeaveTheSameSearchesAlone() throws Exception {
    createIndices();
    putModel("m", 15);
    putPipelines("\"model\":\"m\"," + FROM);
    for (Map.Entry<String, String> left :
        new TreeMap<>(
                Map.of(
                    "\"size\":0", "size",
                    "\"sort\":[{\"popularity\":\"asc\"},\"_score\"]", "sort",
                    "\"sort\":[\"popularity\"],\"track_scores\":true", "sort",
                    "\"sort\":[{\"_score\":\"asc\"}]", "sort",
                    "\"sort\":[\"_score\",\"_score\"]", "sort",
                    "\"sort\":[\"_doc\"]", "sort"))
            .entrySet()) {
      String body = "{" + MATCH + "," + left.getKey() + "}";
      Object plain = call("POST", "/of5/_search", body).get("hits");
      for (String place : List.of("request", "response")) {
        Map<String, Object> answer = call("POST", "/of5/_search?search_pipeline=" + place, body);
        assertEquals(body, Map.of("left_alone", left.getValue()), ext(answer));
        assertEquals(body, plain, answer.get("hits"));
      }
    }
  }

  public void testPagesOfASortedSearchOfAPointInTimeHaveEachHitOnce() throws Exception {
    createIndices();
    putModel("m", 15);
    putPipelines("\"model\":\"m\"," + FROM);
    for (String place : List.of("request", "response")) {
      Object pit = call("POST", "/of5/_search/point_in_time?keep_alive=1m", null).get("pit_id");
      try {
        Set<Object> seen = new HashSet<>();
        int shown = 0;
        String after = "";
        while (true) {
          Map<String, Object> answer =
              call(
                  "POST",
                  "/_search?search_pipeline=" + place,
                  "{\"pit\":{\"id\":\"%s\"},\"size\":17,%s,\"sort\":[{\"_score\":\"desc\"},{\"popularity\":\"asc\"},{\"_shard_doc\":\"asc\"}]%s}"
                      .formatted(pit, MATCH, after));
          assertEquals("sort", ext(answer).get("left_alone"));
          List<?> hits = hitList(answer);
          if (hits.isEmpty()) {
            break;
          }
          hits.forEach(hit -> seen.add(((Map<?, ?>) hit).get("_id")));
          shown += hits.size();
          Map<?, ?> last = (Map<?, ?>) hits.getLast();
          after =
              ",\"search_after\":"
                  + json(Map.of("x", last.get("sort"))).replaceFirst("^.\"x\":", "");
          after = after.substring(0, after.length() - 1);
        }
        assertEquals(DOCUMENTS, seen.size());
        assertEquals(DOCUMENTS, shown);
      } finally {
        call("DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + pit + "\"]}");
      }
    }
  }

  public void testNoPageOfAScrollIsRanked() throws Exception {
    createIndices();
    putModel("m", 15);
    putPipelines("\"model\":\"m\"," + FROM);
    for (String place : List.of("request", "response")) {
      Map<String, Object> page =
          call(
              "POST",
              "/of5/_search?scroll=1m&search_pipeline=" + place,
              "{\"size\":50," + MATCH + "}");
      assertEquals(Map.of("left_alone", "scroll"), ext(page));
      Set<Object> seen = new HashSet<>();
      float last = Float.POSITIVE_INFINITY;
      Object scroll = page.get("_scroll_id");
      for (int i = 0; i < 4; i++) {
        for (Hit hit : hits(page)) {
          assertTrue(seen.add(hit.id()));
          assertTrue(hit.floatScore() <= last);
          last = hit.floatScore();
        }
        page =
            call("POST", "/_search/scroll", "{\"scroll\":\"1m\",\"scroll_id\":\"" + scroll + "\"}");
      }
      call("DELETE", "/_search/scroll", "{\"scroll_id\":\"" + scroll + "\"}");
      assertEquals(DOCUMENTS, seen.size());
    }
  }

  /** A rolled-over index that lacks a field of the model, behind one that has it. */
  public void testAnIndexWithoutTheFieldFailsAsItDoesWithAClause() throws Exception {
    createIndices();
    putModel("m", 15);
    putPipelines("\"model\":\"m\",\"window_size\":200," + FROM);
    call(
        "PUT",
        "/bare",
        "{\"settings\":{\"number_of_shards\":2},\"mappings\":{\"properties\":{\"body\":{\"type\":\"text\"}}}}");
    for (int i = 0; i < 4; i++) {
      call("POST", "/bare/_doc/" + i + "?refresh=true", "{\"body\":\"war\"}");
    }
    String body = "{\"size\":200," + MATCH + "}";
    Map<String, Object> clause = call("POST", "/of5,bare/_search?search_pipeline=request", body);
    Map<String, Object> hits = call("POST", "/of5,bare/_search?search_pipeline=response", body);
    for (String count : List.of("total", "successful", "failed")) {
      assertEquals(
          ((Map<?, ?>) clause.get("_shards")).get(count),
          ((Map<?, ?>) hits.get("_shards")).get(count));
    }
    assertEquals(sorted(hits(clause)), sorted(hits(hits)));
    String few =
        "{\"size\":4,\"query\":{\"bool\":{\"must\":{\"match\":{\"body\":\"war\"}},\"filter\":{\"term\":{\"_index\":\"bare\"}}}}}";
    Map<String, Object> none = call("POST", "/of5,bare/_search?search_pipeline=response", few);
    assertEquals(List.of(), hitList(none));
    assertNotEquals(0, ((Map<?, ?>) none.get("_shards")).get("failed"));
    for (String place : List.of("request", "response")) {
      Map.Entry<Integer, String> alone = failure("/bare/_search?search_pipeline=" + place, body);
      assertEquals(400, (int) alone.getKey());
      String message = alone.getValue().substring(alone.getValue().indexOf('{'));
      assertFalse(message, message.contains("127.0.0.1"));
      Map.Entry<Integer, String> whole =
          failure(
              "/of5,bare/_search?allow_partial_search_results=false&search_pipeline=" + place,
              body);
      assertEquals(place, 400, (int) whole.getKey());
    }
  }

  /** The same id in each of them: more indices than a query may have clauses. */
  public void testAPageOverManyIndices() throws Exception {
    putModel("m", 15);
    putPipelines("\"model\":\"m\",\"window_size\":200," + FROM);
    int indices = 6;
    for (int i = 0; i < indices; i++) {
      createIndex(
          "many" + i,
          Settings.builder()
              .put("index.number_of_shards", 1)
              .put("index.number_of_replicas", 0)
              .build());
      call("PUT", "/many" + i + "/_mapping", TestCatalogue.MAPPING);
      for (int d = 0; d < 5; d++) {
        call(
            "POST",
            "/many" + i + "/_doc/" + d + "?refresh=true",
            json(TestCatalogue.document(random)));
      }
    }
    call(
        "PUT", "/_cluster/settings", "{\"transient\":{\"indices.query.bool.max_clause_count\":4}}");
    try {
      String body = "{\"size\":30," + MATCH + "}";
      List<Hit> ranked = hits(call("POST", "/many*/_search?search_pipeline=request", body));
      assertEquals(
          sorted(ranked),
          sorted(hits(call("POST", "/many*/_search?search_pipeline=response", body))));
      // Hits of the first page alone, though all indices have their ids.
      String page = "{\"size\":7," + MATCH + "}";
      Map<String, Object> standing = call("POST", "/many*/_search", page);
      Map<String, Object> first = call("POST", "/many*/_search?search_pipeline=response", page);
      assertEquals(keys(standing), keys(first));
    } finally {
      call(
          "PUT",
          "/_cluster/settings",
          "{\"transient\":{\"indices.query.bool.max_clause_count\":null}}");
    }
  }

  private static Set<String> keys(Map<String, Object> answer) {
    Set<String> keys = new HashSet<>();
    for (Object hit : hitList(answer)) {
      keys.add(((Map<?, ?>) hit).get("_index") + "/" + ((Map<?, ?>) hit).get("_id"));
    }
    return keys;
  }

  public void testATimeoutLeavesTheFirstPass() throws Exception {
    createIndices();
    putModel("m", 15);
    putPipelines("\"model\":\"m\"," + FROM);
    for (int i = 0; i < 20; i++) {
      Map<String, Object> answer =
          call(
              "POST",
              "/of5/_search?search_pipeline=response",
              "{\"timeout\":\"1ms\",\"size\":100," + MATCH + "}");
      if (ext(answer).containsKey("left_alone")) {
        assertEquals(Map.of("left_alone", "timeout"), ext(answer));
        assertEquals(true, answer.get("timed_out"));
      } else {
        assertEquals(false, answer.get("timed_out"));
      }
    }
  }
}

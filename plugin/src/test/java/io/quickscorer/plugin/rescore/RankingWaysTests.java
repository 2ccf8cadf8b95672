// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.FeatureSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.After;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.client.ResponseException;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.Plugin;

/**
 * Random searches, ranked in three ways: by a clause, by a request processor and by a response
 * processor. All give a hit the same score, bit by bit, or leave the search alone for the same
 * reason; the pages of a ranking have each hit once. {@code -Dtests.seed} repeats a run, {@code
 * -Dtests.iters} makes it longer.
 */
public class RankingWaysTests extends GlobalTestCase {
  private static final int SEARCHES = 40 * Integer.getInteger("tests.iters", 1);
  private static final int ALL = 400;
  private static final String FEATURES =
      """
      {"features": [
        {"name": "first", "type": "first_pass_score"},
        {"name": "body", "type": "query", "query": {"match": {"body": "{{q}}"}}, "missing": 0},
        {"name": "popularity", "type": "field", "field": "popularity", "missing": -1.5},
        {"name": "price", "type": "field", "field": "price"},
        {"name": "twice", "type": "query", "query": {"range": {"twice": {"gte": 1}}}, "missing": 0}]}
      """;
  private static final String DERIVED =
      """
      "derived": {"twice": {"type": "long",
        "script": {"source": "if (doc['popularity'].size() > 0) { emit(2 * doc['popularity'].value) }"}}}\
      """;

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(PainlessModulePlugin.class);
    return plugins;
  }

  @After
  public void pipelinesAreDeleted() throws IOException {
    call("DELETE", "/_search/pipeline/*", null);
  }

  /** An answer, or a failure's status. */
  private record Answer(int status, Map<String, Object> body) {
    Map<?, ?> ext() {
      return (Map<?, ?>) ((List<?>) ((Map<?, ?>) body.get("ext")).get("quickscorer")).get(0);
    }

    Object reason() {
      return body.containsKey("ext") ? ext().get("left_alone") : null;
    }

    List<?> hits() {
      return (List<?>) ((Map<?, ?>) body.get("hits")).get("hits");
    }

    Object shards(String count) {
      return ((Map<?, ?>) body.get("_shards")).get(count);
    }
  }

  private static Answer send(String path, String body) throws IOException {
    Request request = new Request("POST", path);
    request.setJsonEntity(body);
    Response response;
    try {
      response = getRestClient().performRequest(request);
    } catch (ResponseException e) {
      response = e.getResponse();
    }
    try (var content = response.getEntity().getContent()) {
      return new Answer(
          response.getStatusLine().getStatusCode(),
          XContentHelper.convertToMap(JsonXContent.jsonXContent, content, true));
    }
  }

  /** One search: where it goes, and the parts of its body. */
  private record Search(String path, String text, List<String> parts, boolean derived) {
    private String with(String pipeline) {
      return path + "&search_pipeline=" + pipeline;
    }

    private String body(String... more) {
      List<String> all = new ArrayList<>(parts);
      all.addAll(List.of(more));
      if (derived) {
        all.add(DERIVED);
      }
      return "{" + String.join(",", all) + "}";
    }

    /** Whether its hits are in another order than that of their scores. */
    private boolean sorts() {
      return parts.stream()
          .anyMatch(part -> part.startsWith("\"sort\"") && !part.equals("\"sort\":[\"_score\"]"));
    }

    private boolean scrolls() {
      return path.contains("scroll=");
    }

    private String clause(int window) {
      return "\"rescore\":{\"window_size\":%s,\"quickscorer\":{\"model\":\"ways\",\"scope\":\"global\",\"params\":{\"q\":\"%s\"}}}"
          .formatted(window, text);
    }
  }

  private Search search(String pit) {
    String text = TestCatalogue.words(random, 2);
    List<String> parts = new ArrayList<>();
    parts.add("\"query\":" + query(text));
    boolean inPit = random.nextInt(5) == 0;
    String index = randomFrom("of1", "of5", "of5", "of5,bare", "few", "of1,of5");
    String path = inPit ? "/_search?" : "/" + index + "/_search?";
    path += "search_type=" + randomFrom("query_then_fetch", "dfs_query_then_fetch");
    if (inPit) {
      parts.add("\"pit\":{\"id\":\"" + pit + "\"}");
    } else {
      path += random.nextInt(4) == 0 ? "&routing=" + random.nextInt(5) : "";
      path += random.nextInt(4) == 0 ? "&preference=" + randomFrom("me", "_local") : "";
      path += random.nextInt(12) == 0 ? "&scroll=1m" : "";
    }
    for (String part :
        List.of(
            "\"explain\":true",
            "\"version\":true",
            "\"min_score\":" + random.nextInt(20),
            "\"post_filter\":{\"term\":{\"tag\":\"war\"}}",
            "\"timeout\":\"" + randomFrom("1ms", "1m") + "\"",
            "\"stored_fields\":" + randomFrom("\"_none_\"", "[\"tag\"]"),
            "\"fields\":[\"tag\",{\"field\":\"released\",\"format\":\"yyyy\"}]",
            "\"docvalue_fields\":[\"tag\",\"popularity\"]",
            "\"_source\":" + randomFrom("false", "[\"title\"]"),
            "\"track_scores\":true",
            "\"profile\":true",
            "\"aggs\":{\"t\":{\"terms\":{\"field\":\"tag\"}}}",
            "\"sort\":"
                + randomFrom("[\"_score\"]", "[{\"_score\":\"asc\"}]", "[\"tag\",\"_score\"]"),
            "\"collapse\":{\"field\":\"" + randomFrom("tag", "released") + "\"}")) {
      if (random.nextInt(6) == 0) {
        parts.add(part);
      }
    }
    return new Search(path, text, parts, random.nextInt(3) == 0);
  }

  private String randomFrom(String first, String... more) {
    int choice = random.nextInt(more.length + 1);
    return choice == 0 ? first : more[choice - 1];
  }

  private void putPipelines(int window) throws IOException {
    for (String place : List.of("request", "response")) {
      call(
          "PUT",
          "/_search/pipeline/" + place,
          "{\"%s_processors\":[{\"quickscorer\":{\"scope\":\"global\",\"model\":\"ways\",\"window_size\":%s,\"params_from\":{\"q\":{\"query_text\":[\"match\"]}}}}]}"
              .formatted(place, window));
    }
  }

  private void createAll() throws IOException {
    createIndices();
    call(
        "PUT",
        "/bare",
        "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0},\"mappings\":{\"properties\":{\"body\":{\"type\":\"text\"},\"rank\":{\"type\":\"double\"}}}}");
    for (int i = 0; i < 4; i++) {
      call("POST", "/bare/_doc/" + i + "?refresh=true", "{\"body\":\"war\",\"rank\":" + i + "}");
    }
    call(
        "POST",
        "/_aliases",
        "{\"actions\":[{\"add\":{\"index\":\"of5\",\"alias\":\"few\",\"filter\":{\"range\":{\"rank\":{\"gte\":40}}}}}]}");
    FeatureSet set = TestCatalogue.featureSet(FEATURES);
    InMemoryModels.MODELS.put("ways", TestCatalogue.over(set, "ways", random));
  }

  public void testThreeWaysGiveTheSameScores() throws Exception {
    createAll();
    Object pit = call("POST", "/of5/_search/point_in_time?keep_alive=5m", null).get("pit_id");
    int ranked = 0;
    try {
      putPipelines(ALL);
      for (int i = 0; i < SEARCHES; i++) {
        Search search = search((String) pit);
        int size = random.nextInt(40);
        String page = "\"from\":%s,\"size\":%s".formatted(random.nextInt(30), size);
        String plain = search.body(page);
        Answer none = send(search.with("_none"), plain);
        Answer request = send(search.with("request"), plain);
        Answer response = send(search.with("response"), plain);
        String about = search.path + " " + plain + " " + request + " " + response;
        assertEquals(about, none.status, response.status);
        if (request.status == 200 && search.sorts()) {
          assertNotNull(about, request.reason());
        }
        if (request.status == 200 && request.reason() != null) {
          // Nothing is ranked: both say why, and show what there is without a pipeline.
          assertEquals(about, request.reason(), response.reason());
          if (areWhole(none, request, response)) {
            assertEquals(about, none.hits(), request.hits());
            assertEquals(about, none.hits(), response.hits());
          }
          close(none, request, response);
          continue;
        }
        Answer clause = send(search.with("_none"), search.body(page, search.clause(ALL)));
        // A search that is left alone gets the server's refusal, if it refuses.
        boolean leftAlone = size == 0 || search.scrolls() || search.sorts();
        assertEquals(about, (leftAlone ? none : clause).status, request.status);
        if (request.status != 200 || !areWhole(none, request, response, clause)) {
          continue;
        }
        assertEquals(about, shown(clause), shown(request));
        assertEquals(about, clause.shards("failed"), request.shards("failed"));
        if (none.status != 200) {
          // Without a clause the server collapses by keywords and numbers alone.
          continue;
        }
        if (response.reason() != null) {
          assertTrue(
              about, Set.of("no_hits", "stored_fields", "timeout").contains(response.reason()));
          assertEquals(about, none.hits(), response.hits());
          continue;
        }
        ranked++;
        assertSameScores(about, search, response, none);
      }
    } finally {
      call("DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + pit + "\"]}");
    }
    assertTrue(ranked + " of " + SEARCHES, ranked > SEARCHES / 8);
  }

  private static void close(Answer... answers) throws IOException {
    for (Answer answer : answers) {
      Object scroll = answer.body.get("_scroll_id");
      if (scroll != null) {
        call("DELETE", "/_search/scroll", "{\"scroll_id\":\"" + scroll + "\"}");
      }
    }
  }

  /** A search that runs out of time shows other hits each time. */
  private static boolean areWhole(Answer... answers) {
    return Stream.of(answers)
        .noneMatch(answer -> Boolean.TRUE.equals(answer.body.get("timed_out")));
  }

  /** Explanations of a first pass differ in the last digit from run to run of a shard. */
  private static List<?> shown(Answer answer) {
    return answer.hits().stream().map(RankingWaysTests::withoutExplanation).toList();
  }

  private static Map<?, ?> withoutExplanation(Object hit) {
    Map<?, ?> copy = new HashMap<>((Map<?, ?>) hit);
    copy.remove("_explanation");
    return copy;
  }

  /** Each hit that the response shows has the score that a clause gives it among all hits. */
  private static void assertSameScores(String about, Search search, Answer response, Answer none)
      throws IOException {
    Search whole =
        new Search(
            search.path,
            search.text,
            search.parts.stream()
                .filter(part -> part.startsWith("\"query\"") || part.startsWith("\"pit\""))
                .toList(),
            search.derived);
    Answer all = send(whole.with("_none"), whole.body("\"size\":" + ALL, whole.clause(ALL)));
    assertEquals(whole.path + " " + whole + " " + all, 200, all.status);
    Map<String, Object> scores = new HashMap<>();
    for (Object hit : all.hits()) {
      scores.put(key(hit), ((Map<?, ?>) hit).get("_score"));
    }
    Set<String> standing = new HashSet<>();
    none.hits().forEach(hit -> standing.add(key(hit)));
    double last = Double.POSITIVE_INFINITY;
    for (Object hit : response.hits()) {
      Object score = ((Map<?, ?>) hit).get("_score");
      assertEquals(about + " " + hit, scores.get(key(hit)), score);
      assertTrue(about, ((Number) score).doubleValue() <= last);
      last = ((Number) score).doubleValue();
      assertTrue(about, standing.remove(key(hit)));
    }
    // Only hits of shards that failed are missing.
    for (String missing : standing) {
      assertTrue(about + " " + missing, missing.startsWith("bare/"));
    }
    assertTrue(about, standing.isEmpty() || !response.shards("failed").equals(0));
  }

  private static String key(Object hit) {
    return ((Map<?, ?>) hit).get("_index") + "/" + ((Map<?, ?>) hit).get("_id");
  }

  public void testPagesHaveEachHitOnce() throws Exception {
    createAll();
    for (int i = 0; i < 2 * Integer.getInteger("tests.iters", 1); i++) {
      putPipelines(1 + random.nextInt(2 * DOCUMENTS));
      String text = TestCatalogue.words(random, 2);
      int size = 20 + random.nextInt(40);
      String index = randomFrom("of1", "of5");
      Set<String> seen = new HashSet<>();
      for (int from = 0; from < DOCUMENTS; from += size) {
        Answer page =
            send(
                "/" + index + "/_search?search_pipeline=request",
                "{\"from\":%s,\"size\":%s,\"query\":%s}".formatted(from, size, query(text)));
        for (Object hit : page.hits()) {
          assertTrue(seen.add(key(hit)));
        }
      }
      assertEquals(DOCUMENTS, seen.size());
    }
  }
}

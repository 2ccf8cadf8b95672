// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.After;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.client.ResponseException;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.index.query.ConstantScoreQueryBuilder;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.tasks.Task;
import org.opensearch.transport.RemoteTransportException;

/** Hits ranked as they stand in an answer, by a response processor. */
public class HitRankingTests extends GlobalTestCase {
  private static final String FROM =
      "\"params\":{\"nowhere\":\"x\"},\"params_from\":{\"q\":{\"query_text\":[\"match\"]}}";

  private static final String FUSION = "\"phase_results_processors\":[{\"rank_fusion\":{}}]";

  /** A full queue: fetches of so many searches that a processor sends are rejected. */
  private static final AtomicInteger REJECTED = new AtomicInteger();

  /** Rejects the fetch of the first hit. */
  public static final class FullQueues extends Plugin implements ActionPlugin {
    @Override
    public List<ActionFilter> getActionFilters() {
      return List.of(new Rejections());
    }
  }

  private static final class Rejections implements ActionFilter {
    @Override
    public int order() {
      return Integer.MAX_VALUE;
    }

    @Override
    public <Q extends ActionRequest, R extends ActionResponse> void apply(
        Task task,
        String action,
        Q request,
        ActionRequestMetadata<Q, R> metadata,
        ActionListener<R> listener,
        ActionFilterChain<Q, R> chain) {
      boolean rejects =
          request instanceof SearchRequest search
              && search.source() != null
              && search.source().query() instanceof ConstantScoreQueryBuilder
              && REJECTED.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
      chain.proceed(
          task,
          action,
          request,
          rejects
              ? ActionListener.wrap(
                  answer -> listener.onResponse(rejected(answer)), listener::onFailure)
              : listener);
    }

    @SuppressWarnings("unchecked")
    private static <R> R rejected(R answer) {
      SearchResponse found = (SearchResponse) answer;
      SearchHit[] hits = found.getHits().getHits();
      ShardSearchFailure failure =
          new ShardSearchFailure(
              new RemoteTransportException(
                  "node", new OpenSearchRejectedExecutionException("full", false)),
              hits[0].getShard());
      SearchHits rest =
          new SearchHits(
              Arrays.copyOfRange(hits, 1, hits.length), found.getHits().getTotalHits(), 1);
      return (R)
          SearchResponses.with(found, rest, SearchResponses.ext(found), 1, false, List.of(failure));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(RankFusionPlugin.class);
    plugins.add(FullQueues.class);
    return plugins;
  }

  @After
  public void pipelinesAreDeleted() throws IOException {
    call("DELETE", "/_search/pipeline/*", null);
  }

  private static void putPipeline(String processor) throws IOException {
    call(
        "PUT",
        "/_search/pipeline/hits",
        "{\"response_processors\":[{\"quickscorer\":{" + processor + "}}]}");
  }

  private static String plain(int size, String text) {
    return "{\"size\":%s,\"query\":%s}".formatted(size, query(text));
  }

  private static String ranked(String index, String type) {
    return "/" + index + "/_search?search_pipeline=hits&search_type=" + type;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> ext(Map<String, Object> answer) {
    return (Map<String, Object>)
        ((List<?>) ((Map<?, ?>) answer.get("ext")).get("quickscorer")).get(0);
  }

  /** With more hits than the window, hits of a shard after its window can be moved to the top. */
  public void testHitsThatAreMovedIntoTheWindowAreScored() throws Exception {
    createIndices();
    putModel("m", 15);
    call("PUT", "/_search/pipeline/fused", "{" + FUSION + "}");
    for (int i = 0; i < 12; i++) {
      int window = 1 + random.nextInt(20);
      int size = window + 1 + random.nextInt(60);
      String text = TestCatalogue.words(random, 2);
      String index = "/" + randomFrom("of1", "of5") + "/_search";
      List<Hit> fused = search(index + "?search_pipeline=fused", plain(size, text));
      Map<String, Hit> scored =
          search(index, body(0, DOCUMENTS, text, DOCUMENTS, "\"scope\":\"global\"")).stream()
              .collect(Collectors.toMap(Hit::id, hit -> hit));
      String clause = "\"scope\":\"global\",\"log\":true";
      List<Hit> ranked =
          search(index + "?search_pipeline=fused", body(0, size, text, window, clause)).stream()
              .filter(hit -> !hit.logged().isEmpty())
              .toList();
      assertEquals(
          fused.subList(0, window).stream().map(Hit::id).collect(Collectors.toSet()),
          ranked.stream().map(Hit::id).collect(Collectors.toSet()));
      for (Hit hit : ranked) {
        assertEquals(scored.get(hit.id()).score(), hit.score());
      }
    }
  }

  public void testAnEarlierClauseKeepsItsWindow() throws Exception {
    createIndices();
    putModel("m", 15);
    call("PUT", "/_search/pipeline/fused", "{" + FUSION + "}");
    String text = TestCatalogue.words(random, 2);
    String fields =
        "\"model\":\"m\",\"params\":{\"q\":\"" + text + "\",\"nowhere\":\"x\"},\"log\":true";
    String body =
        """
        {"size": 60, "query": %s, "rescore": [
          {"window_size": 7, "quickscorer": {%s}},
          {"window_size": 50, "quickscorer": {%s, "scope": "global"}}]}
        """
            .formatted(query(text), fields, fields);
    List<Hit> hits = search("/of1/_search?search_pipeline=fused", body);
    assertEquals(50, hits.stream().filter(hit -> !hit.logged().isEmpty()).count());
    long first =
        hits.stream()
            .filter(
                hit ->
                    hit.logged().stream()
                        .anyMatch(row -> Integer.valueOf(0).equals(row.get("clause"))))
            .count();
    assertEquals(7, first);
  }

  public void testPipelinesInBodiesRun() throws Exception {
    createIndices();
    putModel("m", 15);
    putModel("n", 7);
    call("PUT", "/_search/pipeline/fused", "{" + FUSION + "}");
    String text = TestCatalogue.words(random, 2);
    String named = "/of5/_search?search_pipeline=fused";
    for (String fields :
        List.of(
            "\"model\":\"m\"",
            "\"model\":\"m\",\"scope\":\"global\"",
            "\"model\":\"m\",\"budget_ms\":0",
            "\"models\":[\"m\",\"n\"],\"interleave\":{\"seed\":3}")) {
      String clause = fields + ",\"params\":{\"q\":\"" + text + "\",\"nowhere\":\"x\"}";
      String body =
          "\"size\":20,\"query\":%s,\"rescore\":{\"window_size\":30,\"quickscorer\":{%s}}"
              .formatted(query(text), clause);
      List<Hit> expected = search(named, "{" + body + "}");
      assertEquals(20, expected.size());
      assertNotEquals(places(expected), places(search("/of5/_search", "{" + body + "}")));
      String pipeline = ",\"search_pipeline\":{" + FUSION + "}";
      assertEquals(places(expected), places(search("/of5/_search", "{" + body + pipeline + "}")));
      String processor = "\"request_processors\":[{\"quickscorer\":{\"window_size\":30," + clause;
      String ranking = "{" + processor + "}}]," + FUSION + "}";
      call("PUT", "/_search/pipeline/ranking", ranking);
      String plain = plain(20, text);
      String inside = plain.substring(0, plain.length() - 1) + ",\"search_pipeline\":" + ranking;
      assertEquals(
          places(search("/of5/_search?search_pipeline=ranking", plain)),
          places(search("/of5/_search", inside + "}")));
    }
  }

  public void testHitsGetTheClausesScores() throws Exception {
    createIndices();
    putModel("m", 15);
    for (int i = 0; i < 12; i++) {
      int window = 1 + random.nextInt(60);
      int size = 1 + random.nextInt(60);
      String outside = randomFrom("keep_below", "mix", "drop");
      String fields = "\"outside_window\":\"" + outside + "\",\"log\":true";
      putPipeline("\"model\":\"m\",\"window_size\":" + window + "," + fields + "," + FROM);
      String text = TestCatalogue.words(random, 2);
      String type = randomFrom("query_then_fetch", "dfs_query_then_fetch");
      String index = randomFrom("of1", "of5");
      int scored = Math.min(window, size);
      List<Hit> expected =
          search(
                  "/" + index + "/_search?search_type=" + type,
                  body(0, DOCUMENTS, text, scored, fields + ",\"scope\":\"global\""))
              .stream()
              .filter(hit -> !hit.logged().isEmpty())
              .toList();
      Map<String, Object> answer = call("POST", ranked(index, type), plain(size, text));
      List<Hit> hits = hits(answer).stream().filter(hit -> !hit.logged().isEmpty()).toList();
      assertEquals(places(expected), places(hits));
      assertEquals(
          expected.stream().map(Hit::logged).toList(), hits.stream().map(Hit::logged).toList());
      assertEquals("m", ((Map<?, ?>) ((List<?>) ext(answer).get("models")).get(0)).get("name"));
      List<Hit> first =
          search(
              "/" + index + "/_search?search_type=" + type,
              plain(outside.equals("drop") ? scored : size, text));
      assertEquals(
          first.stream().map(Hit::id).collect(Collectors.toSet()),
          hits(answer).stream().map(Hit::id).collect(Collectors.toSet()));
      float last = Float.POSITIVE_INFINITY;
      for (Hit hit : hits(answer)) {
        assertTrue(hit.floatScore() <= last);
        last = hit.floatScore();
      }
    }
  }

  /** The fetches of very many shards may be more than a node's queue holds. */
  public void testRejectedFetchesAreSentAgain() throws Exception {
    createIndices();
    putModel("m", 15);
    putPipeline("\"model\":\"m\",\"window_size\":60," + FROM);
    String search = ranked("of5", "query_then_fetch");
    List<Hit> expected = hits(call("POST", search, plain(30, "war sea")));
    REJECTED.set(2);
    Map<String, Object> answer = call("POST", search, plain(30, "war sea"));
    assertEquals(0, REJECTED.get());
    assertEquals(places(expected), places(hits(answer)));
    assertEquals(0, ((Map<?, ?>) answer.get("_shards")).get("failed"));
    REJECTED.set(3);
    assertEquals(
        1, ((Map<?, ?>) call("POST", search, plain(30, "war sea")).get("_shards")).get("failed"));
  }

  /** A page is ranked by itself: its hits are the first pass's, in the order of the model. */
  public void testEachPageIsRankedByItself() throws Exception {
    createIndices();
    putModel("m", 15);
    putPipeline("\"model\":\"m\",\"window_size\":40," + FROM);
    String dfs = "dfs_query_then_fetch";
    String first = "/of5/_search?search_type=" + dfs;
    String text = "war sea";
    Map<String, Float> scores =
        search(first, body(0, DOCUMENTS, text, DOCUMENTS, "\"scope\":\"global\"")).stream()
            .collect(Collectors.toMap(Hit::id, Hit::floatScore));
    for (int from : List.of(0, 1, 37, 120, 155, 160)) {
      int size = 1 + random.nextInt(40);
      String page = "{\"from\":%s,\"size\":%s,\"query\":%s}".formatted(from, size, query(text));
      assertEquals(
          search(first, page).stream()
              .map(Hit::id)
              .sorted(Comparator.comparing(id -> -scores.get(id)))
              .map(id -> id + "=" + scores.get(id))
              .toList(),
          search(ranked("of5", dfs), page).stream()
              .map(hit -> hit.id() + "=" + hit.floatScore())
              .toList());
    }
  }

  public void testTheyStandAsTheServersRescorerLeftThem() throws Exception {
    createIndices();
    CompiledModel model = putModel("m", 15);
    putPipeline("\"model\":\"m\",\"log\":true," + FROM);
    String rescored =
        "{\"explain\":true,\"size\":25,\"query\":%s,\"rescore\":{\"window_size\":40,\"query\":{\"query_weight\":-0.5,\"rescore_query\":{\"match\":{\"title\":\"sea\"}}}}}"
            .formatted(query("war sea"));
    Map<String, Float> standing =
        search("/of5/_search", rescored).stream()
            .collect(Collectors.toMap(Hit::id, Hit::floatScore));
    assertTrue(standing.values().stream().anyMatch(score -> score < 0));
    List<Hit> hits = search(ranked("of5", "query_then_fetch"), rescored);
    assertEquals(standing.keySet(), hits.stream().map(Hit::id).collect(Collectors.toSet()));
    for (Hit hit : hits) {
      assertEquals(standing.get(hit.id()), hit.row()[1], 0);
      assertEquals(TestCatalogue.referenceScore(model, hit.row()), hit.loggedScore(), 0);
      assertEquals((float) hit.loggedScore(), hit.floatScore(), 0);
      Map<?, ?> why = (Map<?, ?>) hit.explanation();
      assertEquals(hit.floatScore(), ((Number) why.get("value")).floatValue(), 0);
      assertTrue(why.toString(), why.toString().contains("feature [price]"));
    }
  }

  public void testTheyStandAsAFusionOfRanksLeftThem() throws Exception {
    createIndices();
    CompiledModel model = putModel("m", 15);
    String fusion = "\"phase_results_processors\":[{\"" + RankFusionPlugin.TYPE + "\":{}}]";
    call("PUT", "/_search/pipeline/fused", "{" + fusion + "}");
    call(
        "PUT",
        "/_search/pipeline/hits",
        "{%s,\"response_processors\":[{\"quickscorer\":{\"model\":\"m\",\"log\":true,%s}}]}"
            .formatted(fusion, FROM));
    for (int i = 0; i < 5; i++) {
      String text = TestCatalogue.words(random, 2);
      String body = plain(1 + random.nextInt(50), text);
      List<Hit> fused = search("/of5/_search?search_pipeline=fused", body);
      Map<String, Float> standing =
          fused.stream().collect(Collectors.toMap(Hit::id, Hit::floatScore));
      assertTrue(standing.values().stream().allMatch(score -> score <= 2 / 60f));
      List<Hit> hits = search(ranked("of5", "query_then_fetch"), body);
      assertEquals(standing.keySet(), hits.stream().map(Hit::id).collect(Collectors.toSet()));
      float last = Float.POSITIVE_INFINITY;
      for (Hit hit : hits) {
        assertEquals(standing.get(hit.id()), hit.row()[1], 0);
        assertEquals((float) TestCatalogue.referenceScore(model, hit.row()), hit.floatScore(), 0);
        assertTrue(hit.floatScore() <= last);
        last = hit.floatScore();
      }
    }
  }

  /** The fusion puts hits on the page that are not among their shard's first ones. */
  public void testHitsThatAFusionMovesToThePageAreLogged() throws Exception {
    createIndices();
    CompiledModel model = putModel("m", 15);
    String fusion = "\"phase_results_processors\":[{\"" + RankFusionPlugin.TYPE + "\":{}}]";
    call("PUT", "/_search/pipeline/fused", "{" + fusion + "}");
    for (int i = 0; i < 5; i++) {
      String path = "/of5/_search?search_pipeline=fused";
      String text = TestCatalogue.words(random, 2);
      for (Hit hit : search(path, body(0, 7, text, 60, "\"log\":true"))) {
        assertEquals(TestCatalogue.referenceScore(model, hit.row()), hit.loggedScore(), 0);
      }
      String global = "\"scope\":\"global\",\"log\":true";
      assertEquals(
          search(path, body(0, 60, text, 60, global)).subList(2, 7),
          search(path, body(2, 5, text, 60, global)));
    }
  }

  /** The fusion changes the scores by which shards say so. */
  public void testABudgetIsSpentThoughAFusionFollows() throws Exception {
    createIndices();
    putModel("m", 15);
    String fusion = "\"phase_results_processors\":[{\"" + RankFusionPlugin.TYPE + "\":{}}]";
    call("PUT", "/_search/pipeline/fused", "{" + fusion + "}");
    String path = "/of5/_search?search_pipeline=fused";
    Map<String, Object> spent = call("POST", path, body(0, 7, "war sea", 60, "\"budget_ms\":0"));
    assertEquals(true, ext(spent).get("fallback"));
    assertFalse(spent.containsKey("terminated_early"));
    assertFalse(spent.containsKey("suggest"));
    assertEquals(places(search(path, plain(7, "war sea"))), places(hits(spent)));
    Map<String, Object> enough =
        call("POST", path, body(0, 7, "war sea", 60, "\"budget_ms\":60000"));
    assertEquals(false, ext(enough).get("fallback"));
    assertFalse(enough.containsKey("terminated_early"));
    assertFalse(enough.containsKey("suggest"));
    for (String budget : List.of("0", "60000")) {
      String suggesting =
          body(0, 7, "war sea", 60, "\"budget_ms\":" + budget)
              .replaceFirst(
                  "\\{", "{\"suggest\":{\"s\":{\"text\":\"wra\",\"term\":{\"field\":\"body\"}}},");
      assertEquals(
          Set.of("s"), ((Map<?, ?>) call("POST", path, suggesting).get("suggest")).keySet());
    }
    String error = body(0, 7, "war sea", 60, "\"budget_ms\":0,\"on_budget\":\"error\"");
    assertEquals(504, (int) failure(path, error).getKey());
  }

  public void testWhatIsNotRankedStaysAsItIs() throws Exception {
    createIndices();
    putModel("m", 15);
    putModel("gone", 15);
    putPipeline("\"model\":\"m\"," + FROM);
    String match = "\"query\":{\"match\":{\"body\":\"war\"}}";
    for (Map.Entry<String, String> left :
        Map.of(
                "\"size\":0," + match,
                "size",
                match + ",\"sort\":[\"popularity\",\"_doc\"]",
                "sort",
                match + ",\"sort\":[{\"popularity\":\"asc\"},\"_score\"]",
                "sort",
                match + ",\"sort\":[\"popularity\"],\"track_scores\":true",
                "sort",
                match + ",\"sort\":[{\"_score\":\"asc\"}]",
                "sort",
                match + ",\"sort\":[\"_score\",\"_score\"]",
                "sort",
                match + ",\"from\":500",
                "no_hits",
                match + ",\"stored_fields\":\"_none_\"",
                "stored_fields",
                "\"query\":{\"term\":{\"tag\":\"war\"}}",
                "params")
            .entrySet()) {
      String body = "{" + left.getKey() + "}";
      Map<String, Object> answer = call("POST", ranked("of5", "query_then_fetch"), body);
      assertEquals(body, Map.of("left_alone", left.getValue()), ext(answer));
      assertEquals(call("POST", "/of5/_search", body).get("hits"), answer.get("hits"));
    }
    String clause = body(0, 9, "war", 30, "\"scope\":\"global\"");
    assertEquals(
        places(search("/of5/_search", clause)),
        places(search(ranked("of5", "query_then_fetch"), clause)));
    putPipeline("\"model\":\"gone\",\"ignore_failure\":true," + FROM);
    InMemoryModels.MODELS.remove("gone");
    Map<String, Object> safe =
        call("POST", ranked("of5", "query_then_fetch"), plain(10, "war sea"));
    assertEquals(places(search("/of5/_search", plain(10, "war sea"))), places(hits(safe)));
    assertEquals("model [gone] not found", ext(safe).get("ignored_failure"));
  }

  public void testWrongProcessorsNameTheirPlace() throws Exception {
    putModel("m", 15);
    for (Map.Entry<String, String> wrong :
        Map.of(
                "\"model\":\"nobody\"", "404 model [nobody] not found",
                "\"model\":\"m\",\"scope\":\"shard\"", "400 [scope] must be global",
                "\"model\":\"m\",\"window_size\":0", "400 [window_size] expected",
                "\"model\":\"m\",\"final\":\"score +\"", "400 final: [expression]",
                "\"model\":\"m\",\"max_rank\":\"x\"", "400 max_rank: expected a number",
                "\"model\":\"m\",\"windw\":1", "400 unknown field [windw]",
                "\"window_size\":9", "400 expected one of [model]")
            .entrySet()) {
      ResponseException e =
          expectThrows(ResponseException.class, () -> putPipeline(wrong.getKey()));
      String[] expected = wrong.getValue().split(" ", 2);
      assertEquals(expected[0], "" + e.getResponse().getStatusLine().getStatusCode());
      assertTrue(e.getMessage(), e.getMessage().contains(expected[1]));
    }
  }
}

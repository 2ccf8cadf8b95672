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
  static final String FROM =
      "\"params\":{\"nowhere\":\"x\"},\"params_from\":{\"q\":{\"query_text\":[\"match\"]}}";

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

  static String plain(int size, String text) {
    return "{\"size\":%s,\"query\":%s}".formatted(size, query(text));
  }

  static String ranked(String index, String type) {
    return "/" + index + "/_search?search_pipeline=hits&search_type=" + type;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> ext(Map<String, Object> answer) {
    return (Map<String, Object>)
        ((List<?>) ((Map<?, ?>) answer.get("ext")).get("quickscorer")).get(0);
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

  public void testHitsBeyondTheWindowAreExplained() throws Exception {
    createIndices();
    putModel("m", 15);
    putPipeline("\"model\":\"m\",\"window_size\":3," + FROM);
    String page = "{\"explain\":true,\"size\":9,\"query\":%s}".formatted(query("war sea"));
    List<Hit> hits = search(ranked("of5", "query_then_fetch"), page);
    assertEquals(9, hits.size());
    for (int i = 0; i < hits.size(); i++) {
      Map<?, ?> why = (Map<?, ?>) hits.get(i).explanation();
      assertEquals(hits.get(i).floatScore(), ((Number) why.get("value")).floatValue(), 0);
      assertEquals(i >= 3, why.toString().contains("outside the window of [m]"));
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.stats.Measure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One ranking over all shards is the ranking that one shard with all documents would have. */
public class GlobalScopeTests extends GlobalTestCase {
  private static final List<String> OUTSIDE = List.of("keep_below", "mix", "drop");

  private static final int DEFAULT_QUERIES = 40;

  /** More with {@code -Dtests.global.queries=1000}, which then also logs what a search takes. */
  private static final int QUERIES = Integer.getInteger("tests.global.queries", DEFAULT_QUERIES);

  private static long median(List<Long> nanos) {
    return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
  }

  public void testFiveShardsRankAsOne() throws Exception {
    createIndices();
    putModel("m", 15);
    String five = "/of5/_search?search_type=dfs_query_then_fetch";
    List<Long> perShard = new ArrayList<>();
    List<Long> globally = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      String text = tellingWords(1 + random.nextInt(3));
      int window = 1 + random.nextInt(DOCUMENTS + 20);
      String outside = "\"outside_window\":\"" + OUTSIDE.get(random.nextInt(3)) + "\"";
      String mode = ",\"score_mode\":\"" + randomFrom("replace", "total", "max") + "\"";
      String global = outside + mode + ",\"scope\":\"global\"";
      long start = System.nanoTime();
      List<Hit> whole = search(five, body(0, DOCUMENTS, text, window, global));
      globally.add(System.nanoTime() - start);
      List<Hit> one = search("/of1/_search", body(0, DOCUMENTS, text, window, outside + mode));
      assertEquals(sorted(one), sorted(whole));
      assertEquals(
          places(search("/of1/_search", body(0, DOCUMENTS, text, window, global))), places(whole));
      int from = random.nextInt(DOCUMENTS);
      int size = 1 + random.nextInt(30);
      List<String> page =
          places(whole).subList(Math.min(from, whole.size()), Math.min(from + size, whole.size()));
      assertEquals(page, places(search(five, body(from, size, text, window, global))));
      if (QUERIES > DEFAULT_QUERIES) {
        start = System.nanoTime();
        search(five, body(0, DOCUMENTS, text, window, outside + mode));
        perShard.add(System.nanoTime() - start);
      }
    }
    if (QUERIES > DEFAULT_QUERIES) {
      logger.info(
          "median nanoseconds of a search: per shard {}, global {}",
          median(perShard),
          median(globally));
    }
  }

  public void testTheWindowIsTheFirstPassesAndScoresAreTheReferences() throws Exception {
    createIndices();
    CompiledModel model = putModel("m", 15);
    String path = "/of5/_search";
    for (int i = 0; i < 10; i++) {
      String text = TestCatalogue.words(random, 2);
      int window = 5 + random.nextInt(40);
      List<Hit> first = search(path, "{\"size\":%s,\"query\":%s}".formatted(window, query(text)));
      Map<String, Object> answer =
          call(
              "POST",
              path,
              body(
                  0,
                  DOCUMENTS,
                  text,
                  window,
                  "\"scope\":\"global\",\"log\":true,\"outside_window\":\"drop\""));
      List<Hit> hits = hits(answer);
      assertEquals(
          first.stream().map(Hit::id).sorted().toList(),
          hits.stream().map(Hit::id).sorted().toList());
      assertEquals(
          ((Number) hits.getFirst().score()).doubleValue(),
          ((Number) ((Map<?, ?>) answer.get("hits")).get("max_score")).doubleValue(),
          0);
      for (Hit hit : hits) {
        double expected = TestCatalogue.referenceScore(model, hit.row());
        assertEquals(expected, hit.loggedScore(), 0);
        assertEquals((float) expected, hit.floatScore(), 0);
      }
      assertEquals(
          sorted(hits).stream().map(GlobalScopeTests::score).toList(),
          places(hits).stream().map(GlobalScopeTests::score).toList());
    }
  }

  private static String score(String place) {
    return place.substring(place.indexOf('='));
  }

  private int fetched(String path, String body) throws IOException {
    int before = TestRescorePlugin.FETCHED.get();
    search(path, body);
    return TestRescorePlugin.FETCHED.get() - before;
  }

  private static String explained(String body) {
    return "{\"explain\":true," + body.strip().substring(1);
  }

  /**
   * The number of hits that the shards of an explained response fetch: all of a shard with at most
   * {@code page} hits, otherwise those than which fewer than {@code page} hits of the shard are
   * better.
   */
  private static long fetchedOf(Map<String, Object> explained, int page, double least) {
    List<Hit> hits = hits(explained);
    List<?> shown = (List<?>) ((Map<?, ?>) explained.get("hits")).get("hits");
    Map<Object, List<Hit>> shards = new HashMap<>();
    for (int i = 0; i < hits.size(); i++) {
      Object shard = ((Map<?, ?>) shown.get(i)).get("_shard");
      shards.computeIfAbsent(shard, s -> new ArrayList<>()).add(hits.get(i));
    }
    long count = 0;
    for (List<Hit> shard : shards.values()) {
      List<Hit> kept = shard.stream().filter(hit -> hit.loggedScore() >= least).toList();
      if (shard.size() <= page) {
        count += shard.size();
      } else if (!kept.isEmpty()) {
        float lowest = kept.get(Math.min(page, kept.size()) - 1).floatScore();
        count += kept.stream().filter(hit -> hit.floatScore() >= lowest).count();
      }
    }
    return count;
  }

  public void testShardsFetchOnlyHitsThatCanBeOnThePage() throws Exception {
    createIndices();
    ModelId id = putModel("m", 15).id();
    int window = 100;
    for (int shards : List.of(1, 5)) {
      String path = "/of" + shards + "/_search";
      // Loads the model on the nodes of the shards.
      search(path, body(0, 1, "war sea", window, "\"scope\":\"shard\""));
      String clause = "\"scope\":\"global\",\"log\":true";
      Map<String, Object> all =
          call("POST", path, explained(body(0, window, "war sea", window, clause)));
      double least = hits(all).get(window / 2).loggedScore();
      String cut = ",\"outside_window\":\"drop\",\"min_model_score\":" + least;
      for (String more : List.of("", cut, ",\"max_rank\":8")) {
        String page = body(3, 7, "war sea", window, clause + more);
        assertEquals(
            search(path, body(0, window, "war sea", window, clause + more)).stream()
                .skip(3)
                .limit(7)
                .toList(),
            search(path, page));
        long fetched = fetchedOf(all, 10, more.equals(cut) ? least : Double.NEGATIVE_INFINITY);
        assertEquals(more, fetched, fetched(path, page));
        assertEquals(places(search(path, page)), places(search(path, explained(page))));
        assertEquals(more, fetched, fetched(path, explained(page)));
        String buckets =
            "{\"aggs\":{\"best\":{\"top_hits\":{\"size\":5}}}," + page.strip().substring(1);
        for (String body : List.of(page, buckets)) {
          long scored = scored(id);
          search(path, body);
          assertEquals("each hit is scored once: " + body, scored + window, scored(id));
        }
      }
      // The order depends on more than the scores, or the page shows hits of the whole window.
      for (String more : List.of(",\"score_mode\":\"total\"", ",\"final\":\"score + 1\"")) {
        assertEquals(more, window, fetched(path, body(3, 7, "war sea", window, clause + more)));
      }
      assertEquals(window, fetched(path, body(window - 1, 1, "war sea", window, clause)));
      assertTrue(
          fetched(path, body(3, 7, "war sea", window, clause + ",\"outside_window\":\"mix\""))
              > window);
    }
  }

  /** The number of documents that a model has scored on all nodes. */
  private long scored(ModelId id) {
    long documents = 0;
    for (TestRescorePlugin plugin : plugins()) {
      documents += plugin.stats.counts().of(id).counts().of(Measure.Model.DOCUMENTS);
    }
    return documents;
  }

  /** A shard whose node has loaded the model sends scores; other shards send feature values. */
  public void testSomeShardsSendScoresAndOthersFeatureValues() throws Exception {
    createIndices();
    String path = "/of5/_search";
    for (int i = 0; i < 5; i++) {
      String model = "\"m" + i + "\"";
      ModelId id = putModel("m" + i, 15).id();
      String one = body(0, 1, "war sea", 100, "\"scope\":\"shard\"").replace("\"m\"", model);
      search(path + "?preference=_shards:" + i, one);
      String clause = "\"scope\":\"global\",\"log\":true";
      String page = body(3, 7, "war sea", 100, clause).replace("\"m\"", model);
      int before = TestRescorePlugin.FETCHED.get();
      long scored = scored(id);
      List<Hit> mixed = search(path, page);
      int fetched = TestRescorePlugin.FETCHED.get() - before;
      assertEquals("each hit is scored once", scored + 100, scored(id));
      String whole = body(0, 100, "war sea", 100, clause).replace("\"m\"", model);
      assertEquals(search(path, whole).stream().skip(3).limit(7).toList(), mixed);
      search(path, page);
      // Now both nodes have ranked hits, so both have loaded the model.
      assertTrue("" + fetched, fetched < 100 && fetched > fetched(path, page));
    }
  }

  /** Response processors run before the hits of all shards are ranked. */
  public void testResponseProcessorsGetWholeHits() throws Exception {
    createIndices();
    putModel("m", 15);
    String path = "/of5/_search";
    search(path, body(0, 1, "war sea", 100, "\"scope\":\"shard\""));
    String page = body(0, 5, "war sea", 100, "\"scope\":\"global\"");
    String processors =
        "_processors\":[{\"quickscorer\":{\"model\":\"m\",\"params\":{\"q\":\"war\",\"nowhere\":\"x\"}}}]";
    String request = "\"request" + processors;
    String response = "\"response" + processors;
    call("PUT", "/_search/pipeline/before", "{" + request + "}");
    call("PUT", "/_search/pipeline/after", "{" + response + "}");
    String inline = ",\"search_pipeline\":{" + response + "}}";
    assertTrue(fetched(path, page) < 100);
    assertTrue(fetched(path + "?search_pipeline=before", page) < 100);
    assertTrue(fetched(path + "?search_pipeline=after", page) >= 100);
    assertTrue(fetched(path, page.strip().substring(0, page.strip().length() - 1) + inline) >= 100);
    call("PUT", "/of5/_settings", "{\"index.search.default_pipeline\":\"after\"}");
    assertTrue(fetched(path, page) >= 100);
    assertTrue(fetched(path + "?search_pipeline=_none", page) < 100);
    call(
        "PUT",
        "/_index_template/stream",
        "{\"index_patterns\":[\"stream\"],\"data_stream\":{},\"template\":{\"settings\":{"
            + "\"number_of_replicas\":0,\"index.search.default_pipeline\":\"after\"},\"mappings\":"
            + TestCatalogue.MAPPING
            + "}}");
    StringBuilder bulk = new StringBuilder();
    for (Map<String, Object> source : sources) {
      Map<String, Object> timed = new HashMap<>(source);
      timed.put("@timestamp", 1);
      bulk.append("{\"create\":{}}\n").append(json(timed)).append('\n');
    }
    assertEquals(false, call("POST", "/stream/_bulk?refresh=true", bulk.toString()).get("errors"));
    search("/stream/_search", body(0, 1, "war sea", 100, "\"scope\":\"shard\""));
    assertTrue(fetched("/stream/_search", page) >= 100);
    assertTrue(fetched("/stream/_search?search_pipeline=_none", page) < 100);
    call("DELETE", "/_data_stream/stream", null);
    call("DELETE", "/_index_template/stream", null);
    call("DELETE", "/of5", null);
    call("DELETE", "/_search/pipeline/before", null);
    call("DELETE", "/_search/pipeline/after", null);
  }

  public void testHitsShowWhatTheClauseSays() throws Exception {
    createIndices();
    putModel("m", 15);
    putModel("n", 10);
    String plain = body(0, 10, "war sea", 30, "\"scope\":\"global\"");
    for (Hit hit : search("/of5/_search", plain)) {
      assertEquals(List.of(), hit.logged());
    }
    String shadowed =
        body(
            0,
            10,
            "war sea",
            30,
            "\"scope\":\"global\",\"shadow_models\":[\"n\"],\"log\":true,\"algorithm\":\"pred\"");
    List<Hit> hits = search("/of5/_search", shadowed);
    assertEquals(places(search("/of5/_search", plain)), places(hits));
    Map<String, Float> byN = new HashMap<>();
    search(
            "/of5/_search",
            body(0, 30, "war sea", 30, "\"scope\":\"global\"").replace("\"m\"", "\"n\""))
        .forEach(hit -> byN.put(hit.id(), hit.floatScore()));
    for (Hit hit : hits) {
      double shadow =
          ((Number) ((Map<?, ?>) hit.logged().get(0).get("shadow_scores")).get("n")).doubleValue();
      assertEquals(byN.get(hit.id()), (float) shadow, 0);
      assertEquals(hit.floatScore(), (float) hit.loggedScore(), 0);
    }
    String explained = "{\"explain\":true," + plain.strip().substring(1);
    for (Hit hit : search("/of5/_search", explained)) {
      Map<?, ?> explanation = (Map<?, ?>) hit.explanation();
      assertEquals(hit.floatScore(), ((Number) explanation.get("value")).floatValue(), 0);
      assertTrue(explanation.toString(), explanation.toString().contains("feature [price]"));
    }
    Map<String, Object> none =
        call("POST", "/of5/_search", body(0, 0, "war", 30, "\"scope\":\"global\""));
    assertEquals(List.of(), hits(none));
  }

  public void testPipelinesRankGloballyToo() throws Exception {
    createIndices();
    putModel("m", 15);
    call(
        "PUT",
        "/_search/pipeline/global",
        "{\"request_processors\":[{\"quickscorer\":{\"model\":\"m\",\"scope\":\"global\",\"window_size\":30,\"params\":{\"nowhere\":\"x\"},\"params_from\":{\"q\":{\"query_text\":[\"match\"]}}}}]}");
    for (int from : List.of(0, 7, 28, 40)) {
      String plain = "{\"from\":%s,\"size\":9,\"query\":%s}".formatted(from, query("war sea"));
      assertEquals(
          places(search("/of5/_search", body(from, 9, "war sea", 30, "\"scope\":\"global\""))),
          places(search("/of5/_search?search_pipeline=global", plain)));
    }
    call("DELETE", "/_search/pipeline/global", null);
  }

  /** The server's cache of results does not keep which hits were rescored. */
  public void testCachedSearchesExplainTheSameScores() throws Exception {
    createIndices();
    putModel("m", 15);
    for (String scope : List.of("shard", "global")) {
      String body = body(0, 9, "war", 4, "\"scope\":\"" + scope + "\"");
      body = "{\"explain\":true," + body.strip().substring(1);
      for (int i = 0; i < 3; i++) {
        for (Hit hit : search("/of1/_search?request_cache=true", body)) {
          Map<?, ?> why = (Map<?, ?>) hit.explanation();
          assertEquals(hit.floatScore(), ((Number) why.get("value")).floatValue(), 0);
        }
      }
    }
  }

  public void testTimeIsUpEverywhereOrNowhereAndWrongClausesAreRefused() throws Exception {
    createIndices();
    putModel("m", 15);
    String plain = "{\"from\":3,\"size\":7,\"query\":%s}".formatted(query("war"));
    assertEquals(
        places(search("/of5/_search", plain)),
        places(
            search("/of5/_search", body(3, 7, "war", 30, "\"scope\":\"global\",\"budget_ms\":0"))));
    for (String wrong : List.of("\"scope\":\"all\"", "\"scope\":3")) {
      assertEquals(400, (int) failure("/of5/_search", body(0, 5, "war", 30, wrong)).getKey());
    }
    String set = "{\"rescore\":{\"quickscorer\":{\"feature_set\":\"x\",\"scope\":\"global\"}}}";
    assertEquals(404, (int) failure("/of5/_search", set).getKey());
    String first =
        "{\"rescore\":[{\"quickscorer\":{\"model\":\"m\",\"scope\":\"global\"}},{\"quickscorer\":{\"model\":\"m\"}}]}";
    Map.Entry<Integer, String> failure = failure("/of5/_search", first);
    assertEquals(400, (int) failure.getKey());
    assertTrue(failure.getValue(), failure.getValue().contains("must be the last"));
  }
}

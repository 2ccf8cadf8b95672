// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.junit.After;
import org.junit.Before;
import org.opensearch.index.IndexModule;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.internal.SearchContext;

/** The server rescores the buckets of a top_hits aggregation as it does the hits of the search. */
public class TopHitsTests extends RescoreTestCase {
  private static final int SEARCHES = 20;

  /** Counts the windows that are scored at the same time. */
  private record Counting(EnsembleScorer scorer, AtomicInteger inside, AtomicInteger most)
      implements EnsembleScorer {
    @Override
    public TreeEnsemble ensemble() {
      return scorer.ensemble();
    }

    @Override
    public Algorithm algorithm() {
      return scorer.algorithm();
    }

    @Override
    public long bytes() {
      return scorer.bytes();
    }

    @Override
    public Scratch newScratch() {
      return scorer.newScratch();
    }

    @Override
    public void score(
        FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
      Thread.yield();
      scorer.score(matrix, scratch, scores, checkpoint);
      inside.decrementAndGet();
    }
  }

  /** Replaces the queries of searches, as the security plugin does for restricted users. */
  public static final class RestrictingPlugin extends Plugin {
    private static volatile boolean on;

    @Override
    public void onIndexModule(IndexModule index) {
      index.addSearchOperationListener(
          new SearchOperationListener() {
            @Override
            public void onPreQueryPhase(SearchContext search) {
              if (on) {
                search.parsedQuery(
                    new ParsedQuery(
                        new BooleanQuery.Builder()
                            .add(search.parsedQuery().query(), BooleanClause.Occur.MUST)
                            .add(search.parsedQuery().query(), BooleanClause.Occur.FILTER)
                            .build()));
                search.preProcess(true);
              }
            }
          });
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(RestrictingPlugin.class);
    return plugins;
  }

  @Before
  public void severalSlices() throws IOException {
    setSlices("\"all\"", "4");
  }

  @After
  public void nothingIsLeft() throws Exception {
    setSlices("null", "null");
    assertNothingHeld();
    InMemoryModels.MODELS.clear();
  }

  private static void setSlices(String mode, String count) throws IOException {
    call(
        "PUT",
        "/_cluster/settings",
        """
        {"transient": {"search.concurrent_segment_search.mode": %s,
                       "search.concurrent.max_slice_count": %s}}\
        """
            .formatted(mode, count));
  }

  private static Map<String, Object> ofBuckets(String index, String clause) throws IOException {
    Map<String, Object> response =
        call(
            "POST",
            "/" + index + "/_search",
            """
            {"size": 5, "query": {"match": {"body": "war ship"}},
             "rescore": {"window_size": 20, "quickscorer": {
               "model": "m", "params": {"q": "war ship", "nowhere": "x"}, %s}},
             "aggs": {"by": {"terms": {"field": "popularity", "size": 100},
               "aggs": {"top": {"top_hits": {"size": 3, "_source": false}}}}}}\
            """
                .formatted(clause));
    assertEquals(0, ((Map<?, ?>) response.get("_shards")).get("failed"));
    return response;
  }

  private static List<Hit> buckets(Map<String, Object> response) {
    List<Hit> hits = new ArrayList<>();
    Map<?, ?> by = (Map<?, ?>) ((Map<?, ?>) response.get("aggregations")).get("by");
    for (Object bucket : (List<?>) by.get("buckets")) {
      @SuppressWarnings("unchecked")
      Map<String, Object> top = (Map<String, Object>) ((Map<?, ?>) bucket).get("top");
      hits.addAll(hits(top));
    }
    assertFalse(hits.isEmpty());
    return hits;
  }

  public void testBucketsShowWhatScoredThem() throws IOException {
    bucketsShowWhatScoredThem();
  }

  public void testBucketsOfReplacedQueriesShowWhatScoredThem() throws IOException {
    RestrictingPlugin.on = true;
    try {
      bucketsShowWhatScoredThem();
    } finally {
      RestrictingPlugin.on = false;
    }
  }

  private void bucketsShowWhatScoredThem() throws IOException {
    CompiledModel model = putModel("m", 10);
    createCatalogue("t", 2, 400);
    boolean missing = false;
    for (Hit hit : buckets(ofBuckets("t", "\"log\": true"))) {
      missing |= ((List<?>) hit.logged().getFirst().get("features")).contains(null);
      assertEquals(TestCatalogue.referenceScore(model, hit.row()), hit.loggedScore(), 0);
      assertEquals((float) hit.loggedScore(), hit.floatScore(), 0);
    }
    assertTrue("a missing value is null there too", missing);
  }

  public void testOneWindowAtATime() throws Exception {
    plugins().forEach(plugin -> plugin.help(false));
    CompiledModel model = putModel("m", 10);
    Counting counting = new Counting(model.scorer(), new AtomicInteger(), new AtomicInteger());
    InMemoryModels.MODELS.put(
        "m", new CompiledModel(model.id(), model.features(), model.columns(), counting));
    createCatalogue("t", 1, 400);
    Map<String, Float> scores = new HashMap<>();
    for (int i = 0; i < SEARCHES; i++) {
      for (Hit hit : buckets(ofBuckets("t", "\"log\": true"))) {
        assertEquals((float) hit.loggedScore(), hit.floatScore(), 0);
        assertEquals(hit.floatScore(), scores.merge(hit.id(), hit.floatScore(), (a, b) -> a), 0);
      }
    }
    assertEquals(1, counting.most.get());
  }

  public void testOneRankingOverAllShardsLeavesBucketsAsTheyAre() throws IOException {
    putModel("m", 10);
    createCatalogue("t", 2, 400);
    Map<String, Float> plain =
        plainScores("t", "query_then_fetch", "{\"match\":{\"body\":\"war ship\"}}");
    for (Hit hit : buckets(ofBuckets("t", "\"log\": true, \"scope\": \"global\""))) {
      assertEquals(List.of(), hit.logged());
      assertEquals(plain.get(hit.id()), hit.floatScore(), 0);
    }
  }

  public void testWithoutTimeBucketsAreOfTheFirstPassToo() throws IOException {
    putModel("m", 10);
    createCatalogue("t", 2, 400);
    Map<String, Float> plain =
        plainScores("t", "query_then_fetch", "{\"match\":{\"body\":\"war ship\"}}");
    Map<String, Object> response = ofBuckets("t", "\"budget_ms\": 0");
    for (Hit hit : buckets(response)) {
      assertEquals(plain.get(hit.id()), hit.floatScore(), 0);
    }
    // Of a page without hits the buckets alone tell.
    Map<String, Object> empty =
        call(
            "POST",
            "/t/_search",
            """
            {"size": 0, "query": {"match": {"body": "war ship"}},
             "rescore": {"quickscorer": {"model": "m", "budget_ms": 0, "params": {"q": "war"}}},
             "aggs": {"by": {"terms": {"field": "popularity", "size": 100},
               "aggs": {"top": {"top_hits": {"size": 3, "_source": false}}}}}}\
            """);
    for (Hit hit : buckets(empty)) {
      assertEquals(plain.get(hit.id()), hit.floatScore(), 0);
    }
    // The server ends counting early, which it says in the same place as a spent budget.
    Map<String, Object> enough =
        call(
            "POST",
            "/t/_search",
            """
            {"size": 0, "track_total_hits": false, "query": {"match_all": {}},
             "rescore": {"quickscorer": {"model": "m", "budget_ms": 60000, "params": {"q": "war"}}},
             "aggs": {"by": {"terms": {"field": "popularity", "size": 100},
               "aggs": {"top": {"top_hits": {"size": 3, "_source": false}}}}}}\
            """);
    assertTrue(enough.toString(), enough.get("ext").toString().contains("fallback=false"));
  }

  public void testWhatMustNotBeCached() throws IOException {
    CompiledModel model = putModel("m", 10);
    createCatalogue("t", 1, 100);
    assertCached(true, "");
    assertCached(false, ", \"budget_ms\": 60000");
    InMemoryModels.QUARANTINED.put(model.id(), Set.of(Algorithm.QS));
    try {
      assertCached(false, "");
    } finally {
      InMemoryModels.QUARANTINED.clear();
    }
  }

  private static void assertCached(boolean cached, String clause) throws IOException {
    call("POST", "/t/_cache/clear", null);
    long misses = misses("t");
    call(
        "POST",
        "/t/_search?request_cache=true",
        """
        {"query": {"match": {"body": "war"}}, "rescore": {"quickscorer": {
           "model": "m", "params": {"q": "war", "nowhere": "x"}%s}}}\
        """
            .formatted(clause));
    assertEquals(cached ? 1 : 0, misses("t") - misses);
  }

  private static long misses(String index) throws IOException {
    Map<?, ?> stats = call("GET", "/" + index + "/_stats/request_cache", null);
    Map<?, ?> all = (Map<?, ?>) ((Map<?, ?>) stats.get("_all")).get("total");
    return ((Number) ((Map<?, ?>) all.get("request_cache")).get("miss_count")).longValue();
  }
}

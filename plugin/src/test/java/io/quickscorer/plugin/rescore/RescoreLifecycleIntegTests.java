// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import static org.hamcrest.Matchers.greaterThanOrEqualTo;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.stats.Measure;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.opensearch.common.settings.Settings;

/** Searches that are cancelled, cached, or of a point in time; features that look documents up. */
public class RescoreLifecycleIntegTests extends RescoreTestCase {
  /** The test framework turns the checks off on some nodes. */
  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put("search.low_level_cancellation", true)
        .build();
  }

  @After
  public void nothingIsHeld() throws Exception {
    assertNothingHeld();
  }

  private static String rescore(int window, String options) {
    return "\"rescore\":{\"window_size\":%s,\"quickscorer\":{%s}}".formatted(window, options);
  }

  private static final String LOGGED =
      "\"model\":\"m\",\"log\":true,\"params\":{\"q\":\"war ship\",\"nowhere\":\"x\"}";

  /** Notes the size of each batch, and waits before the first until the test lets it go on. */
  private record WaitingScorer(
      EnsembleScorer scorer, Queue<Integer> batches, CountDownLatch entered, CountDownLatch leave)
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
      batches.add(matrix.documents());
      entered.countDown();
      try {
        assertTrue(leave.await(60, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      scorer.score(matrix, scratch, scores, checkpoint);
    }
  }

  /** An engine is slower with small batches: it gets the whole window, however many the trees. */
  public void testACancelledSearchStopsWithinItsWindow() throws Exception {
    plugins().forEach(plugin -> plugin.help(false));
    CompiledModel model = TestCatalogue.model("slow", random, 1 << 14);
    WaitingScorer waiting =
        new WaitingScorer(
            model.scorer(),
            new ConcurrentLinkedQueue<>(),
            new CountDownLatch(1),
            new CountDownLatch(1));
    InMemoryModels.MODELS.put(
        "slow", new CompiledModel(model.id(), model.features(), model.columns(), waiting));
    createCatalogue("c", 1, 240);
    String body =
        "{\"query\":{\"match_all\":{}},%s}"
            .formatted(rescore(200, "\"model\":\"slow\",\"params\":{\"q\":\"war\"}"));
    AtomicReference<Map.Entry<Integer, String>> failure = new AtomicReference<>();
    Thread search = new Thread(() -> failure.set(failure("/c/_search", body)));
    search.start();
    assertTrue(waiting.entered.await(60, TimeUnit.SECONDS));
    call("POST", "/_tasks/_cancel?actions=indices:data/read/search*", null);
    assertBusy(
        () ->
            assertTrue(
                json(call("GET", "/_tasks?actions=*phase/query*", null))
                    .contains("\"cancelled\":true")),
        60,
        TimeUnit.SECONDS);
    waiting.leave.countDown();
    search.join();
    assertTrue(failure.get().getValue(), failure.get().getValue().contains("task_cancelled"));
    assertEquals(List.of(200), List.copyOf(waiting.batches));
    assertEquals(10, search("/c/_search", body).size());
    assertEquals(List.of(200, 200), List.copyOf(waiting.batches));
  }

  public void testSearchesOfAPointInTime() throws Exception {
    CompiledModel model = putModel("m", 10);
    createCatalogue("p", 3, 100);
    String pit =
        (String) call("POST", "/p/_search/point_in_time?keep_alive=1m", null).get("pit_id");
    try {
      String body =
          "{\"size\":1000,\"pit\":{\"id\":\"%s\"},\"query\":{\"match_all\":{}},%s}"
              .formatted(pit, rescore(1000, LOGGED));
      List<Hit> first = search("/_search", body);
      List<Hit> second = search("/_search", body);
      assertEquals(first, second);
      for (Hit hit : first) {
        assertEquals(TestCatalogue.referenceScore(model, hit.row()), hit.loggedScore(), 0);
      }
      // Of shards without a hit on the page nothing is fetched: their rows are released when the
      // search is answered, not with the point in time.
      assertEquals(1, search("/_search", body.replace(":1000,\"pit", ":1,\"pit")).size());
      assertBusy(
          () -> {
            for (TestRescorePlugin plugin : plugins()) {
              assertEquals(0, plugin.module.waitingRows());
            }
          },
          60,
          TimeUnit.SECONDS);
    } finally {
      call("DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + pit + "\"]}");
    }
  }

  public void testAllClausesOfASearchGetOneVersion() throws IOException {
    putModel("m", 10);
    putModel("n", 10);
    createCatalogue("c", 3, 100);
    String clause =
        "{\"window_size\":50,\"quickscorer\":{\"models\":[\"m\",\"n\"],%s"
            + "\"params\":{\"q\":\"war\"}}}";
    String first = clause.formatted("");
    String last = clause.formatted("\"interleave\":{\"seed\":1},");
    String body = "{\"query\":{\"match_all\":{}},\"rescore\":[%s,%s]}";
    AtomicInteger replaces = new AtomicInteger();
    InMemoryModels.afterNames =
        () -> {
          replaces.incrementAndGet();
          putNewModel("m");
          putNewModel("n");
        };
    try {
      for (String search : List.of(body.formatted(first, first), body.formatted(first, last))) {
        Map<String, Object> answer = call("POST", "/c/_search", search);
        List<?> clauses = (List<?>) ((Map<?, ?>) answer.get("ext")).get("quickscorer");
        assertEquals(2, clauses.size());
        assertEquals(
            ((Map<?, ?>) clauses.getFirst()).get("models"),
            ((Map<?, ?>) clauses.getLast()).get("models"));
      }
      assertThat(replaces.get(), greaterThanOrEqualTo(2));
    } finally {
      InMemoryModels.afterNames = () -> {};
    }
  }

  private void putNewModel(String name) {
    try {
      putModel(name, 10);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void testTheRequestCacheLosesNoRows() throws IOException {
    putModel("m", 10);
    for (int shards : List.of(1, 3)) {
      String index = "cache" + shards;
      createCatalogue(index, shards, 100);
      String path = "/" + index + "/_search?request_cache=true";
      for (String options : List.of(LOGGED, LOGGED.replace("true", "false"))) {
        String body = "{\"query\":{\"match_all\":{}},%s}".formatted(rescore(50, options));
        List<Hit> first = search(path, body);
        assertEquals(first, search(path, body));
        assertEquals(options.contains("true"), !first.get(0).logged().isEmpty());
      }
    }
  }

  public void testFeaturesThatLookDocumentsUp() throws IOException {
    createCatalogue("c", 3, 80);
    createIndex("lists");
    call("PUT", "/lists/_doc/1?refresh=true", "{\"tags\":[\"sea\",\"war\"]}");
    putFeatureSet(
        "lookup",
        TestCatalogue.featureSet(
            """
            {"features":[{"name":"listed","type":"query","missing":0,"query":{"constant_score":{
              "filter":{"terms":{"tag":{"index":"lists","id":"{{list}}","path":"tags"}}}}}}]}
            """));
    String body = "{\"size\":100,\"query\":{\"match_all\":{}},%s}";
    String clause = "\"feature_set\":\"lookup\",\"params\":{\"list\":%s}";
    Map<String, Float> listed =
        plainScores("c", "query_then_fetch", "{\"terms\":{\"tag\":[\"sea\",\"war\"]}}");
    for (Hit hit : search("/c/_search", body.formatted(rescore(100, clause.formatted(1))))) {
      assertEquals(listed.containsKey(hit.id()) ? 1f : 0f, hit.row()[0], 0);
    }
    for (Hit hit : search("/c/_search", body.formatted(rescore(100, clause.formatted(2))))) {
      assertEquals(0f, hit.row()[0], 0);
    }
  }

  public void testRangeFeaturesSeeEveryDocument() throws IOException {
    createCatalogue("c", 1, 240);
    putFeatureSet(
        "range",
        TestCatalogue.featureSet(
            """
            {"features":[{"name":"recent","type":"query","missing":0,
              "query":{"range":{"released":{"gte":"2015-01-01"}}}}]}
            """));
    Map<String, Float> recent =
        plainScores("c", "query_then_fetch", "{\"range\":{\"released\":{\"gte\":\"2015-01-01\"}}}");
    String body =
        "{\"size\":5,\"track_total_hits\":false,\"query\":{\"match_all\":{}},%s}"
            .formatted(rescore(1000, "\"feature_set\":\"range\""));
    for (Hit hit : search("/c/_search", body)) {
      assertEquals(recent.containsKey(hit.id()) ? 1f : 0f, hit.row()[0], 0);
    }
  }

  public void testCountsWhatIsRescored() throws IOException {
    putModel("m", 10);
    createCatalogue("c", 3, 100);
    long before = documents();
    search(
        "/c/_search",
        "{\"query\":{\"match_all\":{}},%s}"
            .formatted(rescore(10, "\"model\":\"m\",\"params\":{\"q\":\"war\"}")));
    assertEquals(before + 30, documents());
  }

  private long documents() {
    long documents = 0;
    for (TestRescorePlugin plugin : plugins()) {
      documents += plugin.stats.counts().counts().of(Measure.Rescore.DOCUMENTS);
    }
    return documents;
  }
}

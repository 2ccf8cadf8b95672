// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.After;
import org.junit.Before;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Aliases over HTTP: moved when loaded, moved back, and never seen half moved. */
@ClusterScope(numDataNodes = 3, supportsDedicatedMasters = false)
public class AliasRestTests extends QuickScorerHttpTestCase {
  private static final String ALIAS = BASE + "aliases/prod";

  /** For a longer run of the same: {@code -Dswap.moves=6000 -Dswap.searchers=32}. */
  private static final int MOVES = Integer.getInteger("swap.moves", 24);

  private static final int SEARCHERS = Integer.getInteger("swap.searchers", 4);

  @Before
  public void putModels() throws Exception {
    send("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    for (int mark = 1; mark <= 3; mark++) {
      assertStatus(201, putModel("m" + mark, mark));
    }
  }

  private Answer putModel(String name, int mark) throws Exception {
    return send("PUT", BASE + "models/" + name + "?feature_set=marked", MarkedModels.file(mark));
  }

  @After
  public void deleteAll() throws Exception {
    for (Object alias : (List<?>) send("GET", BASE + "aliases").at("aliases")) {
      assertStatus(200, send("DELETE", BASE + "aliases/" + ((Map<?, ?>) alias).get("name")));
    }
    for (Object model : (List<?>) send("GET", BASE + "models").at("models")) {
      assertStatus(200, send("DELETE", BASE + "models/" + ((Map<?, ?>) model).get("name")));
    }
  }

  private static String to(String model) {
    return "{\"model\":\"" + model + "\"}";
  }

  public void testAliasIsMovedAndMovedBack() throws Exception {
    assertStatus(404, send("GET", ALIAS));
    assertStatus(404, send("POST", ALIAS + "/_rollback"));
    assertStatus(404, send("DELETE", ALIAS));
    Answer created = send("PUT", ALIAS, to("m1"));
    assertStatus(201, created);
    assertEquals("created", created.at("result"));
    Answer neverMoved = send("POST", ALIAS + "/_rollback");
    assertStatus(409, neverMoved);
    assertTrue(
        neverMoved.body(), neverMoved.body().contains("\"quickscorer_refused\":\"not_allowed\""));
    assertEquals("noop", send("PUT", ALIAS, to("m1")).at("result"));
    Answer moved = send("PUT", ALIAS, to("m2"));
    assertStatus(200, moved);
    assertEquals("m1", moved.at("previous"));
    Answer back = send("POST", ALIAS + "/_rollback");
    assertStatus(200, back);
    assertEquals("m1", back.at("model"));
    assertEquals("m2", back.at("previous"));
    assertEquals(back.at("model"), send("GET", ALIAS).at("model"));
    assertStatus(200, send("HEAD", ALIAS));
    assertEquals(1, ((List<?>) send("GET", BASE + "aliases").at("aliases")).size());
    assertStatus(200, send("DELETE", ALIAS));
    assertStatus(404, send("HEAD", ALIAS));
  }

  public void testModelsAreReadByTheirAliases() throws Exception {
    assertStatus(201, send("PUT", ALIAS, to("m1")));
    for (String what : List.of("", "/_importance", "/_drift")) {
      Answer model = send("GET", BASE + "models/prod" + what);
      assertStatus(200, model);
      assertEquals("m1", model.at("name"));
    }
    assertStatus(200, send("HEAD", BASE + "models/prod"));
    assertStatus(404, send("DELETE", BASE + "models/prod"));
  }

  public void testNamesAreOneOrTheOther() throws Exception {
    assertStatus(409, send("PUT", BASE + "aliases/m1", to("m2")));
    assertStatus(201, send("PUT", ALIAS, to("m1")));
    assertStatus(409, putModel("prod", 2));
    Answer used = send("DELETE", BASE + "models/m1");
    assertStatus(409, used);
    assertTrue(used.body(), used.body().contains("alias [prod]"));
    assertStatus(200, send("PUT", ALIAS, to("m2")));
    assertStatus(200, send("DELETE", BASE + "models/m1"));
    Answer gone = send("POST", ALIAS + "/_rollback");
    assertStatus(404, gone);
    assertTrue(gone.body(), gone.body().contains("[m1]"));
    assertEquals("m2", send("GET", ALIAS).at("model"));
  }

  public void testWrongRequestsAreTheUsersFault() throws Exception {
    assertStatus(404, send("PUT", ALIAS, to("nobody")));
    Answer unread = send("POST", ALIAS + "/_rollback", to("m1"));
    assertStatus(400, unread);
    assertTrue(unread.body(), unread.body().contains("does not take a body"));
    for (String body :
        List.of(
            "{}",
            "{\"model\":1}",
            "{\"x\":\"m1\"}",
            "[",
            "{\"model\":\"M\"}",
            "{\"models\":{}}",
            "{\"models\":{\"m1\":0}}",
            "{\"models\":{\"m1\":1.5}}",
            "{\"models\":[\"m1\"]}",
            "{\"model\":\"m1\",\"models\":{\"m1\":1}}",
            "{\"models\":{\"m1\":1,\"m1\":1}}")) {
      assertStatus(400, send("PUT", ALIAS, body));
    }
    assertStatus(400, send("PUT", BASE + "aliases/Upper", to("m1")));
    assertStatus(404, send("GET", ALIAS));
  }

  public void testImportanceCountsWhatTheModelTests() throws Exception {
    assertStatus(201, send("PUT", ALIAS, to("m1")));
    for (String name : List.of("m1", "prod")) {
      Answer importance = send("GET", BASE + "models/" + name + "/_importance");
      assertStatus(200, importance);
      assertEquals("m1", importance.at("name"));
      List<?> features = (List<?>) importance.at("features");
      assertEquals(1, features.size());
      Map<?, ?> feature = (Map<?, ?>) features.getFirst();
      assertEquals(MarkedModels.FEATURE, feature.get("feature"));
      assertEquals(1, feature.get("splits"));
      assertNull(importance.body(), feature.get("total_gain"));
    }
    assertStatus(404, send("GET", BASE + "models/nobody/_importance"));
  }

  public void testWhatReplacedVersionsWereSeenWithIsForgotten() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 1, 10);
    assertStatus(200, retireAfter("\"0s\""));
    try {
      String version = (String) send("GET", BASE + "models/m1").at("version");
      ModelId id = new ModelId("m1", version);
      assertStatus(200, send("POST", "/docs/_search", MarkedModels.search("m1", 10)));
      assertTrue("counted where it scored", observed(id) > 0);
      assertStatus(200, putModel("m1", 9));
      assertBusy(() -> assertEquals(0, observed(id)), 60, TimeUnit.SECONDS);
    } finally {
      assertStatus(200, retireAfter("null"));
    }
  }

  private Answer retireAfter(String time) throws Exception {
    return send(
        "PUT",
        "/_cluster/settings",
        "{\"transient\":{\"quickscorer.model.retire_after\":" + time + "}}");
  }

  /** How many features of a model the nodes have counted. */
  private static int observed(ModelId id) {
    int features = 0;
    for (RescoreStats stats : internalCluster().getInstances(RescoreStats.class)) {
      features += stats.observed(id).size();
    }
    return features;
  }

  /**
   * Searches run while the alias goes round the models, back, and the models are replaced by
   * others: none fails, and each answer has the scores of one model.
   */
  public void testSearchesSeeOneModelWhileTheAliasMoves() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 6, 60);
    assertStatus(201, send("PUT", ALIAS, to("m1")));
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(SEARCHERS)) {
      List<Future<Integer>> searchers = new ArrayList<>();
      for (int i = 0; i < SEARCHERS; i++) {
        searchers.add(threads.submit((Callable<Integer>) () -> searchUntil(over)));
      }
      try {
        for (int i = 0; i < MOVES; i++) {
          assertStatus(200, send("PUT", ALIAS, to("m" + (1 + (i + 1) % 3))));
          if (i % 4 == 3) {
            assertStatus(200, send("POST", ALIAS + "/_rollback"));
          }
          if (i % 6 == 5) {
            assertStatus(200, putModel("m3", 4 + i));
          }
        }
      } finally {
        over.set(true);
      }
      int searches = 0;
      for (Future<Integer> searcher : searchers) {
        searches += searcher.get();
      }
      logger.info("{} moves, {} searches, none failed or mixed", MOVES, searches);
      assertTrue("searches ran meanwhile: " + searches, searches >= 8);
    }
  }

  public void testAMoveToAModelThatIsReplacedIsMadeAgain() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    // At most three during a move, because a move is refused if its model is replaced until the end
    // of its time.
    Semaphore replacements = new Semaphore(0);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Integer> replacing =
          thread.submit(
              () -> {
                int replaced = 0;
                while (!over.get()) {
                  replacements.acquire();
                  assertStatus(200, putModel("m3", 4 + replaced++));
                }
                return replaced;
              });
      try {
        for (int i = 0; i < MOVES; i++) {
          replacements.drainPermits();
          replacements.release(3);
          Answer moved = send("PUT", ALIAS, to("m" + (1 + i % 2 * 2)));
          assertTrue(moved.body(), moved.status() < 300);
        }
      } finally {
        over.set(true);
        replacements.release();
      }
      assertTrue(replacing.get() > 0);
    }
  }

  private int searchUntil(AtomicBoolean over) throws Exception {
    int searches = 0;
    while (!over.get()) {
      Answer answer = send("POST", "/docs/_search", MarkedModels.search("prod", 60));
      assertStatus(200, answer);
      assertEquals(answer.body(), 0, answer.at("_shards", "failed"));
      assertEquals(answer.body(), 1, MarkedModels.marks(answer.json()).size());
      searches++;
    }
    return searches;
  }

  private void ok(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }
}

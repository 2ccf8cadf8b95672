// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Searches beside replaces of their models and moves of their aliases: each is answered. */
@ClusterScope(numDataNodes = 2, numClientNodes = 1, supportsDedicatedMasters = false)
public class ReplacedModelsTests extends QuickScorerHttpTestCase {
  private static final int REPLACES = 6;
  private static final String CLAUSE = "{\"window_size\":40,\"quickscorer\":{\"model\":\"%s\"%s}}";

  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger searches = new AtomicInteger();

  private void ok(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  private void put(String name, int mark) throws Exception {
    ok("PUT", BASE + "models/" + name + "?feature_set=marked", MarkedModels.file(mark));
  }

  private static String body(String query, String... clauses) {
    return "{\"size\":10,\"query\":" + query + ",\"rescore\":[" + String.join(",", clauses) + "]}";
  }

  public void testNoSearchFails() throws Exception {
    checkSearches();
  }

  /**
   * Versions are gone as soon as they are replaced: searches that were bound to them are bound
   * again.
   */
  public void testNoSearchFailsWhoseVersionIsGone() throws Exception {
    String setting = "{\"persistent\":{\"quickscorer.model.retire_after\":%s}}";
    ok("PUT", "/_cluster/settings", setting.formatted("\"0s\""));
    try {
      checkSearches();
    } finally {
      ok("PUT", "/_cluster/settings", setting.formatted("null"));
    }
  }

  private void checkSearches() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 2, 60);
    ok("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    put("a", 1);
    put("b", 2);
    ok("PUT", BASE + "aliases/live", "{\"model\":\"a\"}");
    String all = "{\"match_all\":{}}";
    String twice = body(all, CLAUSE.formatted("a", ""), CLAUSE.formatted("live", ""));
    String drafted =
        body(
            all,
            "{\"window_size\":40,\"quickscorer\":{\"models\":[\"a\",\"b\"],\"interleave\":{\"seed\":5}}}");
    String pit =
        (String) send("POST", "/docs/_search/point_in_time?keep_alive=10m", "").at("pit_id");
    String standing = "{\"pit\":{\"id\":\"" + pit + "\"}," + twice.substring(1);
    String piped =
        ("{\"query\":{\"match_all\":{}},\"search_pipeline\":{\"%s_processors\":["
            + "{\"quickscorer\":{\"models\":[\"a\",\"live\"],\"window_size\":40}}]}}");
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (Map.Entry<String, String> search :
        List.of(
            Map.entry("/docs/_search", twice),
            Map.entry("/_msearch", "{\"index\":\"docs\"}\n" + twice + "\n"),
            Map.entry("/docs/_search", drafted),
            Map.entry("/_search", standing),
            Map.entry("/docs/_search", piped.formatted("request")),
            Map.entry("/docs/_search", piped.formatted("response")))) {
      Thread thread =
          new Thread(
              () -> {
                while (!over.get()) {
                  searched(search.getKey(), search.getValue());
                }
              });
      threads.add(thread);
      thread.start();
    }
    try {
      for (int i = 0; i < REPLACES; i++) {
        put("a", 3 + i);
        put("b", 1003 + i);
        ok("PUT", BASE + "aliases/live", "{\"model\":\"" + (i % 2 == 0 ? "b" : "a") + "\"}");
      }
    } finally {
      over.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    send("DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + pit + "\"]}");
    logger.info("{} searches", searches);
    assertEquals(failures.toString(), 0, failures.size());
  }

  private void searched(String path, String body) {
    searches.incrementAndGet();
    try {
      Answer answer =
          send(
              "POST",
              path,
              body.getBytes(StandardCharsets.UTF_8),
              path.contains("_msearch") ? "application/x-ndjson" : "application/json");
      if (answer.status() != 200
          || answer.body().contains("\"error\"")
          || answer.body().contains("failures")) {
        failures.add(answer.status() + " " + answer.body());
      }
    } catch (Exception e) {
      failures.add(e.toString());
    }
  }
}

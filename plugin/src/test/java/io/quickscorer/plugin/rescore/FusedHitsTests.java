// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import static io.quickscorer.plugin.rescore.HitRankingTests.FROM;
import static io.quickscorer.plugin.rescore.HitRankingTests.ext;
import static io.quickscorer.plugin.rescore.HitRankingTests.plain;
import static io.quickscorer.plugin.rescore.HitRankingTests.ranked;

import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.After;
import org.opensearch.plugins.Plugin;

/** Searches whose hits a search pipeline moves between query and fetch phase. */
public class FusedHitsTests extends GlobalTestCase {
  private static final String FUSION =
      "\"phase_results_processors\":[{\"" + RankFusionPlugin.TYPE + "\":{}}]";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(RankFusionPlugin.class);
    return plugins;
  }

  @After
  public void pipelinesAreDeleted() throws IOException {
    call("DELETE", "/_search/pipeline/*", null);
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

  public void testTheyStandAsAFusionOfRanksLeftThem() throws Exception {
    createIndices();
    CompiledModel model = putModel("m", 15);
    call("PUT", "/_search/pipeline/fused", "{" + FUSION + "}");
    call(
        "PUT",
        "/_search/pipeline/hits",
        "{%s,\"response_processors\":[{\"quickscorer\":{\"model\":\"m\",\"log\":true,%s}}]}"
            .formatted(FUSION, FROM));
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
    call("PUT", "/_search/pipeline/fused", "{" + FUSION + "}");
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
    call("PUT", "/_search/pipeline/fused", "{" + FUSION + "}");
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
}

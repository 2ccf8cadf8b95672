// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Several models over one window, time budgets and the hits outside, on five shards. */
@ClusterScope(numDataNodes = 3, supportsDedicatedMasters = false)
public class ManyModelsTests extends QuickScorerHttpTestCase {
  private static final int DOCUMENTS = 100;

  @Before
  public void putModels() throws Exception {
    MarkedModels.createIndex(this::ok, "docs", 5, DOCUMENTS);
    ok("PUT", BASE + "feature_sets/marked", MarkedModels.FEATURE_SET);
    // Where the second set differs, its models are extracted apart from those of the first.
    ok(
        "PUT",
        BASE + "feature_sets/other",
        MarkedModels.FEATURE_SET.replace("\"field\":\"p\"", "\"field\":\"p\",\"missing\":7"));
    for (int mark = 1; mark <= 3; mark++) {
      putModel("m" + mark, mark == 3 ? "other" : "marked", MarkedModels.file(mark));
    }
    putModel("down", "marked", MarkedModels.descending(5));
  }

  private void putModel(String name, String set, String file) throws Exception {
    ok("PUT", BASE + "models/" + name + "?feature_set=" + set, file);
  }

  @After
  public void deleteModels() throws Exception {
    for (Object model : (List<?>) send("GET", BASE + "models").at("models")) {
      ok("DELETE", BASE + "models/" + ((Map<?, ?>) model).get("name"), "");
    }
  }

  private void ok(String method, String path, String body) throws Exception {
    Answer answer = send(method, path, body);
    assertTrue(answer.body(), answer.status() < 300);
  }

  private Answer search(String clause, int from, int size, int window) throws Exception {
    String type = randomFrom("query_then_fetch", "dfs_query_then_fetch");
    Answer answer =
        send(
            "POST",
            "/docs/_search?preference=same&search_type=" + type,
            MarkedModels.search(clause, from, size, window));
    assertStatus(200, answer);
    assertEquals(answer.body(), 0, answer.at("_shards", "failed"));
    return answer;
  }

  private static List<Map<?, ?>> hits(Answer answer) {
    List<Map<?, ?>> hits = new ArrayList<>();
    for (Object hit : (List<?>) answer.at("hits", "hits")) {
      hits.add((Map<?, ?>) hit);
    }
    return hits;
  }

  private static List<String> places(List<Map<?, ?>> hits) {
    return hits.stream().map(hit -> hit.get("_id") + "=" + hit.get("_score")).toList();
  }

  private static List<String> ids(List<Map<?, ?>> hits) {
    return hits.stream().map(hit -> (String) hit.get("_id")).toList();
  }

  private static Map<?, ?> shown(Map<?, ?> hit) {
    return (Map<?, ?>) ((List<?>) ((Map<?, ?>) hit.get("fields")).get("_quickscorer")).getLast();
  }

  private static Map<?, ?> ext(Answer answer) {
    return (Map<?, ?>) ((List<?>) answer.at("ext", "quickscorer")).getFirst();
  }

  public void testEveryModelScoresTheWindowAndTheFirstRanks() throws Exception {
    Answer alone = search("\"model\":\"m2\"", 0, DOCUMENTS, DOCUMENTS);
    assertFalse(alone.body(), alone.body().contains("_quickscorer"));
    boolean log = randomBoolean();
    Answer together =
        search(
            "\"models\":[\"m2\",\"m3\"],\"shadow_models\":[\"m1\"],\"log\":" + log,
            0,
            DOCUMENTS,
            DOCUMENTS);
    assertEquals(places(hits(alone)), places(hits(together)));
    assertEquals(DOCUMENTS, hits(together).size());
    for (Map<?, ?> hit : hits(together)) {
      double fraction = Integer.parseInt((String) hit.get("_id")) < 30 ? 0.25 : 0.5;
      Map<?, ?> shown = shown(hit);
      assertEquals(2 + fraction, shown.get("score"));
      assertEquals(Map.of("m2", 2 + fraction, "m3", 3 + fraction), shown.get("scores"));
      assertEquals(log ? Map.of("m1", 1 + fraction) : null, shown.get("shadow_scores"));
      assertEquals(log, shown.containsKey("features"));
    }
    List<?> models = (List<?>) ext(together).get("models");
    assertEquals("m2", ((Map<?, ?>) models.getFirst()).get("name"));
    assertEquals(1, ((List<?>) ext(together).get("shadow_models")).size());
    assertEquals(log ? List.of("p") : null, ext(together).get("feature_names"));
    Answer shadowed =
        search("\"model\":\"m2\",\"shadow_models\":[\"m1\"]", 0, DOCUMENTS, DOCUMENTS);
    assertFalse(shadowed.body(), shadowed.body().contains("_quickscorer"));
    assertEquals(1, ((List<?>) ext(shadowed).get("shadow_models")).size());
  }

  public void testInterleavingIsTheTeamDraftOfBothRankings() throws Exception {
    List<List<String>> rankings = new ArrayList<>();
    for (String model : List.of("m1", "down")) {
      rankings.add(ids(hits(search("\"model\":\"" + model + "\"", 0, 40, 50))));
    }
    assertNotEquals(rankings.get(0), rankings.get(1));
    long seed = randomLong();
    String clause = "\"models\":[\"m1\",\"down\"],\"interleave\":{\"seed\":" + seed + "}";
    List<String> expected = new ArrayList<>();
    for (TeamDraft.Pick pick : TeamDraft.draft(rankings.get(0), rankings.get(1), 40, seed)) {
      expected.add(rankings.get(pick.team()).get(pick.rank()) + (pick.team() == 0 ? "m1" : "down"));
    }
    List<String> found = new ArrayList<>();
    for (int from = 0; from < 40; from += 8) {
      Answer page = search(clause, from, 8, 50);
      assertEquals(Map.of("seed", seed), ext(page).get("interleave"));
      assertEquals(DOCUMENTS, page.at("hits", "total", "value"));
      for (Map<?, ?> hit : hits(page)) {
        Map<?, ?> shown = shown(hit);
        found.add(hit.get("_id") + (String) shown.get("team"));
        assertEquals(shown.get("score"), ((Map<?, ?>) shown.get("scores")).get(shown.get("team")));
      }
    }
    assertEquals(expected, found);
  }

  public void testBudgetThatIsSpentLeavesTheFirstPassAsAWhole() throws Exception {
    String plain = MarkedModels.search("\"model\":\"m1\"", 3, 20, 30);
    String firstPass = plain.substring(0, plain.indexOf(",\"rescore\"")) + "}";
    Answer first = send("POST", "/docs/_search?preference=same", firstPass);
    Answer fallen = search("\"model\":\"m1\",\"budget_ms\":0", 3, 20, 30);
    assertEquals(places(hits(first)), places(hits(fallen)));
    assertEquals(true, ext(fallen).get("fallback"));
    assertEquals(first.at("hits", "max_score"), fallen.at("hits", "max_score"));
    Answer both =
        search(
            "\"models\":[\"m1\",\"down\"],\"interleave\":{\"seed\":1},\"budget_ms\":0", 3, 20, 30);
    assertEquals(places(hits(first)), places(hits(both)));

    Answer enough = search("\"model\":\"m1\",\"budget_ms\":600000", 3, 20, 30);
    assertEquals(places(hits(search("\"model\":\"m1\"", 3, 20, 30))), places(hits(enough)));
    assertEquals(false, ext(enough).get("fallback"));

    Answer error =
        send(
            "POST",
            "/docs/_search",
            MarkedModels.search(
                "\"model\":\"m1\",\"budget_ms\":0,\"on_budget\":\"error\"", 0, 5, 30));
    assertStatus(504, error);
    assertTrue(error.body(), error.body().contains("[budget_ms] 0"));
    String clause = "{\"quickscorer\":{\"model\":\"m1\",\"budget_ms\":5}}";
    Answer notLast = send("POST", "/docs/_search", "{\"rescore\":[" + clause + "," + clause + "]}");
    assertStatus(400, notLast);
    assertTrue(notLast.body(), notLast.body().contains("must be the last"));
  }

  /** Whatever becomes of the hits outside: pages of one window are the whole, cut up. */
  public void testPagesNeverRepeatOrLoseAHit() throws Exception {
    for (OutsideWindow outside : OutsideWindow.values()) {
      for (int window : new int[] {1, 7, 100}) {
        // The rescored hits come first, or, where hits are mixed, among the others or last.
        for (double weight : new double[] {1000.25, 0.75, -0.75}) {
          pagesAreOneRanking(outside, window, weight);
        }
      }
    }
  }

  private void pagesAreOneRanking(OutsideWindow outside, int window, double weight)
      throws Exception {
    String clause =
        "\"model\":\"down\",\"model_weight\":"
            + weight
            + ",\"outside_window\":\""
            + EnumNames.of(outside)
            + "\"";
    List<Map<?, ?>> whole = hits(search(clause, 0, DOCUMENTS, window));
    List<String> pages = new ArrayList<>();
    for (int from = 0; from < DOCUMENTS; from += 9) {
      pages.addAll(places(hits(search(clause, from, 9, window))));
    }
    String message = outside + " " + window + " " + weight;
    assertEquals(message, places(whole), pages);
    assertEquals(message, whole.size(), new HashSet<>(ids(whole)).size());
    if (outside == OutsideWindow.DROP) {
      assertTrue(message + whole, whole.stream().allMatch(ManyModelsTests::isRescored));
      assertTrue(message, whole.size() <= 5 * window);
    } else {
      assertEquals(message, DOCUMENTS, whole.size());
    }
    long rescored = whole.stream().filter(ManyModelsTests::isRescored).count();
    assertTrue(message + rescored, rescored >= Math.min(window, DOCUMENTS));
  }

  public void testPageOfMixedHitsHasALimit() throws Exception {
    String clause = "\"model\":\"m1\",\"outside_window\":\"mix\"";
    assertEquals(DOCUMENTS, hits(search(clause, 0, 9_900, 100)).size());
    Answer deep = send("POST", "/docs/_search", MarkedModels.search(clause, 1, 9_900, 100));
    assertStatus(400, deep);
    assertTrue(
        deep.body(), deep.body().contains("here 10001, but [index.max_rescore_window] allows"));
  }

  /** First-pass scores are whole numbers, the model's have a fraction. */
  private static boolean isRescored(Map<?, ?> hit) {
    double score = ((Number) hit.get("_score")).doubleValue();
    return score > OutsideWindow.LOWEST_RESCORED && score != Math.rint(score);
  }

  public void testExplanationShowsTheWeights() throws Exception {
    Answer explained =
        send(
            "POST",
            "/docs/_search",
            MarkedModels.search(
                    "\"model\":\"m2\",\"score_mode\":\"total\",\"model_weight\":3", 0, 1, 50)
                .replaceFirst("\\{", "{\"explain\":true,"));
    assertStatus(200, explained);
    Map<?, ?> says = (Map<?, ?>) hits(explained).getFirst().get("_explanation");
    assertEquals(
        "score_mode [total] of model score times 3.0 and first-pass score:",
        says.get("description"));
  }

  /** A hit that only the second clause's window holds shows only that one's features. */
  public void testSeveralClausesTellWhoseFeaturesAHitShows() throws Exception {
    String clause = "{\"window_size\":%s,\"quickscorer\":{\"feature_set\":\"%s\"}}";
    String rescore =
        "[" + clause.formatted(2, "other") + "," + clause.formatted(20, "marked") + "]";
    Answer answer =
        send(
            "POST",
            "/docs/_search",
            "{\"size\":"
                + DOCUMENTS
                + ",\"query\":{\"match_all\":{}},\"rescore\":"
                + rescore
                + "}");
    assertStatus(200, answer);
    int both = 0;
    for (Map<?, ?> hit : hits(answer)) {
      List<?> shown =
          hit.get("fields") instanceof Map<?, ?> fields
              ? (List<?>) fields.get("_quickscorer")
              : List.of();
      List<Object> clauses = new ArrayList<>();
      shown.forEach(each -> clauses.add(((Map<?, ?>) each).get("clause")));
      both += clauses.size() == 2 ? 1 : 0;
      assertTrue(
          clauses.toString(), List.of(List.of(0, 1), List.of(1), List.of()).contains(clauses));
    }
    assertEquals(5 * 2, both);
  }

  public void testProfileSplitsTheTime() throws Exception {
    checkProfile("docs", 5);
  }

  /** The server profiles an index of one shard in another way. */
  public void testProfileSplitsTheTimeOfOneShard() throws Exception {
    MarkedModels.createIndex(this::ok, "single", 1, 30);
    checkProfile("single", 1);
  }

  private void checkProfile(String index, int shardCount) throws Exception {
    String body =
        MarkedModels.search("\"models\":[\"m1\",\"m3\"]", 0, 10, 20)
            .replaceFirst("\\{", "{\"profile\":true,");
    Answer profiled = send("POST", "/" + index + "/_search", body);
    assertStatus(200, profiled);
    List<?> shards = (List<?>) profiled.at("profile", "shards");
    assertEquals(shardCount, shards.size());
    for (Object shard : shards) {
      Map<?, ?> search = (Map<?, ?>) ((List<?>) ((Map<?, ?>) shard).get("searches")).getFirst();
      List<?> entries = (List<?>) search.get("query");
      assertEquals(entries.toString(), 2, entries.size());
      Map<?, ?> entry = (Map<?, ?>) entries.getLast();
      assertEquals("QuickScorerRescore", entry.get("type"));
      String says = (String) entry.get("description");
      assertTrue(says, says.matches("m1@\\w+ by .+, m3@\\w+ by .+"));
      Map<?, ?> parts = (Map<?, ?>) entry.get("breakdown");
      for (String part : List.of("bind", "extract", "score", "sort")) {
        assertTrue(entry.toString(), ((Number) parts.get(part)).longValue() > 0);
      }
      Map<?, ?> feature = (Map<?, ?>) ((List<?>) entry.get("children")).getFirst();
      assertEquals("p", feature.get("description"));
    }
    assertTrue(((Number) ext(profiled).get("bind_time_in_nanos")).longValue() > 0);
  }

  public void testStatsAndDriftTellOfTheScoredWindows() throws Exception {
    String envelope =
        "{\"feature_set\":\"marked\",\"feature_ranges\":{\"p\":[10,1000]},\"model\":\""
            + MarkedModels.file(9).replace("\"", "\\\"")
            + "\"}";
    ok("PUT", BASE + "models/ranged", envelope);
    Answer unseen = send("GET", BASE + "models/ranged/_drift");
    assertStatus(200, unseen);
    assertEquals(0, drift(unseen).get("documents"));
    search("\"model\":\"ranged\"", 0, DOCUMENTS, DOCUMENTS);
    Answer seen = send("GET", BASE + "models/ranged/_drift");
    assertEquals(DOCUMENTS, drift(seen).get("documents"));
    assertEquals(0.0, drift(seen).get("missing_share"));
    assertFalse(seen.body(), drift(seen).containsKey("min") || drift(seen).containsKey("max"));
    Answer values = send("GET", BASE + "models/ranged/_drift?values=true");
    assertEquals(0.0, drift(values).get("min"));
    assertEquals(DOCUMENTS - 1.0, drift(values).get("max"));
    assertEquals(true, drift(seen).get("below_training"));
    assertEquals(false, drift(seen).get("above_training"));
    assertStatus(404, send("GET", BASE + "models/nobody/_drift"));
    Answer explained =
        send(
            "POST",
            "/docs/_search",
            MarkedModels.search("\"model\":\"ranged\"", 0, 10, DOCUMENTS)
                .replaceFirst("\\{", "{\"explain\":true,"));
    assertStatus(200, explained);
    assertEquals(10, hits(explained).size());
    assertNotNull(hits(explained).getFirst().get("_explanation"));
    assertEquals(
        "explained hits count once",
        2 * DOCUMENTS,
        drift(send("GET", BASE + "models/ranged/_drift")).get("documents"));

    long extracted = 0;
    Answer stats = send("GET", BASE + "stats");
    for (Object node : ((Map<?, ?>) stats.at("nodes")).values()) {
      Map<?, ?> rescore = (Map<?, ?>) ((Map<?, ?>) node).get("rescore");
      Map<?, ?> extract = (Map<?, ?>) ((Map<?, ?>) rescore.get("histograms")).get("extract");
      assertEquals(rescore.get("windows"), extract.get("count"));
      extracted += ((Number) extract.get("count")).longValue();
    }
    assertTrue(stats.body(), extracted >= 5);
  }

  public void testLinearModelsHaveDriftAndWeights() throws Exception {
    ok(
        "PUT",
        BASE + "feature_sets/both",
        "{\"features\":[{\"name\":\"p\",\"type\":\"field\",\"field\":\"p\"},"
            + "{\"name\":\"first\",\"type\":\"first_pass_score\"},"
            + "{\"name\":\"again\",\"type\":\"field\",\"field\":\"p\"}]}");
    ok("PUT", BASE + "models/linear?feature_set=both", "{\"first\":0.5,\"again\":0,\"p\":-2}");
    search("\"model\":\"linear\"", 0, DOCUMENTS, DOCUMENTS);
    Answer drift = send("GET", BASE + "models/linear/_drift?values=true");
    assertEquals(List.of("first", "p"), column(drift, "feature"));
    assertEquals(List.of(DOCUMENTS, DOCUMENTS), column(drift, "documents"));
    assertEquals(List.of(DOCUMENTS - 1.0, DOCUMENTS - 1.0), column(drift, "max"));
    Answer importance = send("GET", BASE + "models/linear/_importance");
    assertEquals(List.of("p", "first", "again"), column(importance, "feature"));
    assertEquals(List.of(-2.0, 0.5, 0.0), column(importance, "weight"));
    assertFalse(send("GET", BASE + "models/m1/_importance").body().contains("weight"));
  }

  private static List<?> column(Answer answer, String field) {
    List<Object> values = new ArrayList<>();
    for (Object feature : (List<?>) answer.at("features")) {
      values.add(((Map<?, ?>) feature).get(field));
    }
    return values;
  }

  private static Map<?, ?> drift(Answer answer) {
    Map<?, ?> feature = (Map<?, ?>) ((List<?>) answer.at("features")).getFirst();
    assertEquals("p", feature.get("feature"));
    return feature;
  }

  public void testExtIsForAnswersAlone() throws Exception {
    assertStatus(400, send("POST", "/docs/_search", "{\"ext\":{\"quickscorer\":{\"models\":[]}}}"));
    Answer alias = send("PUT", BASE + "aliases/prod", "{\"model\":\"m1\"}");
    assertStatus(201, alias);
    Answer found = search("\"model\":\"prod\"", 0, 5, 10);
    Map<?, ?> model = (Map<?, ?>) ((List<?>) ext(found).get("models")).getFirst();
    assertEquals("prod", model.get("name"));
    assertEquals("m1", model.get("model"));
    ok("DELETE", BASE + "aliases/prod", "");
  }
}

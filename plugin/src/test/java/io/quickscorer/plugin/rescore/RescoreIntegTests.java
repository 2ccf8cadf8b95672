// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.clause.ScoreCombination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.After;

public class RescoreIntegTests extends RescoreTestCase {
  private static final String QUERY =
      "{\"bool\":{\"should\":[{\"match\":{\"body\":\"war"
          + " ship\"}},{\"match\":{\"title\":\"sea\"}}]}}";

  @After
  public void nothingIsHeld() throws Exception {
    call("PUT", "/_cluster/settings", concurrent("null"));
    assertNothingHeld();
  }

  private static String clause(String options) {
    String params = options.contains("params") ? "" : "\"params\":{\"q\":\"war ship\"},";
    return "\"quickscorer\":{" + params + options + "}";
  }

  private static String request(int from, int size, int window, String options) {
    return "{\"from\":%s,\"size\":%s,\"query\":%s,\"rescore\":{\"window_size\":%s,%s}}"
        .formatted(from, size, QUERY, window, clause(options));
  }

  private static String path(String index, String searchType) {
    return "/" + index + "/_search?search_type=" + searchType;
  }

  private static String eitherSearchType() {
    return randomFrom("query_then_fetch", "dfs_query_then_fetch");
  }

  public void testLoggedIsScoredIsWhatTheReferenceSays() throws IOException {
    CompiledModel model = putModel("m", 20);
    FeatureSet set = model.features();
    for (int shards : List.of(1, 3, 5)) {
      String index = "catalogue" + shards;
      createCatalogue(index, shards, 200);
      for (String type : List.of("query_then_fetch", "dfs_query_then_fetch")) {
        Map<String, Float> first = plainScores(index, type, QUERY);
        Map<String, Float> title = plainScores(index, type, match("title"));
        Map<String, Float> body = plainScores(index, type, match("body"));
        Map<String, Float> phrase =
            plainScores(
                index, type, "{\"match_phrase\":{\"body\":{\"query\":\"war ship\",\"slop\":2}}}");
        List<Hit> hits =
            search(
                path(index, type),
                "{\"size\":1000,\"query\":%s,\"rescore\":{\"window_size\":1000,\"quickscorer\":{\"model\":\"m\",\"log\":true,\"params\":{\"q\":\"war ship\",\"nowhere\":\"x\"}}}}"
                    .formatted(QUERY));
        assertEquals(first.keySet(), ids(hits));
        float last = Float.POSITIVE_INFINITY;
        for (Hit hit : hits) {
          float[] row = hit.row();
          assertEquals(set.features().size(), row.length);
          assertEquals(first.get(hit.id()), row[1], 0);
          assertEquals(title.getOrDefault(hit.id(), Float.NaN), row[2], 0);
          assertEquals(body.getOrDefault(hit.id(), 0f), row[3], 0);
          assertEquals(phrase.getOrDefault(hit.id(), Float.NaN), row[4], 0);
          assertEquals(0.5f, row[8], 0);
          assertEquals(title.getOrDefault(hit.id(), -2f), row[9], 0);
          double expected = TestCatalogue.referenceScore(model, row);
          assertEquals(expected, hit.loggedScore(), 0);
          assertEquals((float) expected, hit.floatScore(), 0);
          assertTrue(hit.floatScore() <= last);
          last = hit.floatScore();
        }
        assertFieldsAreRight(index, hits);
      }
    }
  }

  private static String match(String field) {
    return "{\"match\":{\"" + field + "\":\"war ship\"}}";
  }

  private static Set<String> ids(List<Hit> hits) {
    Set<String> ids = new HashSet<>();
    hits.forEach(hit -> ids.add(hit.id()));
    assertEquals(hits.size(), ids.size());
    return ids;
  }

  /** The columns read from doc values are what the documents say. */
  private static void assertFieldsAreRight(String index, List<Hit> hits) throws IOException {
    for (Hit hit : hits.subList(0, Math.min(20, hits.size()))) {
      Map<?, ?> source =
          (Map<?, ?>) call("GET", "/" + index + "/_doc/" + hit.id(), null).get("_source");
      Object popularity = source.get("popularity");
      assertEquals(
          popularity == null ? -1.5f : ((Number) popularity).floatValue(), hit.row()[5], 0);
      Object price = source.get("price");
      Object least = price instanceof List<?> several ? several.get(1) : price;
      assertEquals(least == null ? Float.NaN : ((Number) least).floatValue(), hit.row()[6], 0);
      Object listed = source.get("listed");
      assertEquals(listed == null ? Float.NaN : listed.equals(true) ? 1f : 0f, hit.row()[7], 0);
    }
  }

  public void testLogAndConcurrentSegmentsChangeNothing() throws IOException {
    putModel("m", 20);
    createCatalogue("c", 3, 200);
    for (String type : List.of("query_then_fetch", "dfs_query_then_fetch")) {
      List<Hit> plain = search(path("c", type), request(0, 50, 1000, "\"model\":\"m\""));
      assertTrue(plain.stream().allMatch(hit -> hit.logged().isEmpty()));
      List<Hit> logged =
          search(
              path("c", type),
              request(
                  0,
                  50,
                  1000,
                  "\"model\":\"m\",\"log\":true,\"params\":{\"q\":\"war"
                      + " ship\",\"nowhere\":\"x\"}"));
      assertSameHits(plain, logged);
      call("PUT", "/_cluster/settings", concurrent("\"all\""));
      assertSameHits(plain, search(path("c", type), request(0, 50, 1000, "\"model\":\"m\"")));
    }
  }

  private static String concurrent(String mode) {
    return "{\"transient\":{\"search.concurrent_segment_search.mode\":" + mode + "}}";
  }

  private static void assertSameHits(List<Hit> expected, List<Hit> actual) {
    assertEquals(
        expected.stream().map(hit -> hit.id() + "=" + hit.score()).toList(),
        actual.stream().map(hit -> hit.id() + "=" + hit.score()).toList());
  }

  public void testHitsBeyondTheWindowStayBelowInTheirOrder() throws IOException {
    putModel("m", 20);
    for (int shards : List.of(1, 5)) {
      String index = "tail" + shards;
      createCatalogue(index, shards, 200);
      String path = path(index, eitherSearchType());
      Map<String, Float> first = plainScores(index, path.replaceAll(".*=", ""), QUERY);
      List<Hit> hits =
          search(
              path,
              request(
                  0,
                  1000,
                  7,
                  "\"model\":\"m\",\"log\":true,\"params\":{\"q\":\"war"
                      + " ship\",\"nowhere\":\"x\"}"));
      assertEquals(first.keySet(), ids(hits));
      List<Hit> rescored = hits.stream().filter(hit -> !hit.logged().isEmpty()).toList();
      assertEquals(7 * shards, rescored.size());
      assertEquals(rescored, hits.subList(0, rescored.size()));
      float last = Float.POSITIVE_INFINITY;
      for (Hit hit : hits.subList(rescored.size(), hits.size())) {
        assertTrue(hit.floatScore() < OutsideWindow.LOWEST_RESCORED);
        // Codes drop the three lowest bits of a score.
        float score = Float.intBitsToFloat(Float.floatToIntBits(first.get(hit.id())) & ~7);
        assertTrue(score <= last);
        last = score;
      }
      List<Hit> pages = new ArrayList<>();
      for (int from = 0; from < hits.size(); from += 20) {
        pages.addAll(search(path, request(from, 20, 7, "\"model\":\"m\"")));
      }
      // A larger page collects more hits per shard, so only those of one window are compared.
      assertSameHits(rescored, pages.subList(0, rescored.size()));
      assertEquals(first.keySet(), ids(pages));
    }
  }

  public void testMixSortsTheTailInWithItsFirstPassScores() throws IOException {
    putModel("m", 20);
    createCatalogue("c", 3, 120);
    Map<String, Float> first = plainScores("c", "query_then_fetch", QUERY);
    List<Hit> hits =
        search(
            path("c", "query_then_fetch"),
            request(0, 1000, 5, "\"model\":\"m\",\"outside_window\":\"mix\""));
    assertEquals(first.keySet(), ids(hits));
    long unchanged = hits.stream().filter(hit -> hit.floatScore() == first.get(hit.id())).count();
    assertTrue(unchanged >= first.size() - 15);
    for (int i = 1; i < hits.size(); i++) {
      assertTrue(hits.get(i).floatScore() <= hits.get(i - 1).floatScore());
    }
  }

  public void testFeatureSetAloneLogsAndKeepsTheOrder() throws IOException {
    putFeatureSet("s", TestCatalogue.featureSet());
    CompiledModel model = putModel("m", 20);
    createCatalogue("c", 3, 120);
    String path = path("c", eitherSearchType());
    List<Hit> plain = search(path, "{\"size\":30,\"query\":" + QUERY + "}");
    String params = ",\"params\":{\"q\":\"war ship\",\"nowhere\":\"x\",\"mobile\":true}";
    List<Hit> logged = search(path, request(0, 30, 1000, "\"feature_set\":\"s\"" + params));
    assertSameHits(plain, logged);
    List<Hit> rescored =
        search(path, request(0, 1000, 1000, "\"model\":\"m\",\"log\":true" + params));
    Map<String, List<Float>> rows = new HashMap<>();
    rescored.forEach(hit -> rows.put(hit.id(), list(hit.row())));
    for (Hit hit : logged) {
      assertEquals(rows.get(hit.id()), list(hit.row()));
      assertEquals(1f, hit.row()[8], 0);
      assertFalse(hit.logged().get(0).containsKey("score"));
    }
    assertEquals(model.features(), TestCatalogue.featureSet());
    String body = request(0, 30, 1000, "\"feature_set\":\"s\"" + params);
    List<Hit> explained = search(path, body.replaceFirst("\\{", "{\"explain\":true,"));
    assertSameHits(plain, explained);
    for (Hit hit : explained) {
      Number value = (Number) ((Map<?, ?>) hit.explanation()).get("value");
      assertEquals(hit.floatScore(), value.floatValue(), 0);
    }
  }

  private static List<Float> list(float[] row) {
    List<Float> list = new ArrayList<>();
    for (float value : row) {
      list.add(value);
    }
    return list;
  }

  public void testChainsWithAQueryRescorer() throws IOException {
    putModel("m", 20);
    createCatalogue("c", 3, 200);
    String query =
        "{\"window_size\":10,\"query\":{\"rescore_query\":{\"match_all\":{}},\"rescore_query_weight\":100}}";
    String ours = "{\"window_size\":20," + clause("\"model\":\"m\"") + "}";
    String path = path("c", "query_then_fetch");
    String body = "{\"size\":1000,\"query\":%s,\"rescore\":[%s]}";
    List<Hit> alone = search(path, body.formatted(QUERY, ours));
    List<Hit> before = search(path, body.formatted(QUERY, query + "," + ours));
    List<Hit> after = search(path, body.formatted(QUERY, ours + "," + query));
    assertEquals(ids(alone), ids(before));
    assertEquals(ids(alone), ids(after));
    Map<String, Float> scores = new HashMap<>();
    alone.forEach(hit -> scores.put(hit.id(), hit.floatScore()));
    assertTrue(after.stream().anyMatch(hit -> hit.floatScore() > scores.get(hit.id()) + 1));
    List<Hit> twice =
        search(path, body.formatted(QUERY, ours + "," + ours.replace(":20", ":1000")));
    assertEquals(ids(alone), ids(twice));
    assertTrue(twice.stream().allMatch(hit -> hit.floatScore() >= OutsideWindow.LOWEST_RESCORED));
  }

  public void testScoreModesAndOutput() throws IOException {
    CompiledModel model = putModel("m", 5);
    createCatalogue("c", 1, 80);
    Map<String, Float> first = plainScores("c", "query_then_fetch", QUERY);
    for (ScoreCombination.Mode mode : ScoreCombination.Mode.values()) {
      String options =
          "\"model\":\"m\",\"log\":true,\"score_mode\":\"%s\",\"first_pass_weight\":2,\"model_weight\":0.5,\"output\":\"transformed\",\"params\":{\"q\":\"war ship\",\"nowhere\":\"x\"}"
              .formatted(EnumNames.of(mode));
      for (Hit hit : search(path("c", "query_then_fetch"), request(0, 80, 80, options))) {
        double score = model.transform().apply(TestCatalogue.referenceScore(model, hit.row()));
        assertEquals(score, hit.loggedScore(), 0);
        double firstPass = 2.0 * first.get(hit.id());
        double ofModel = 0.5 * hit.loggedScore();
        double combined =
            switch (mode) {
              case REPLACE -> ofModel;
              case TOTAL -> firstPass + ofModel;
              case MULTIPLY -> firstPass * ofModel;
              case AVG -> (firstPass + ofModel) / 2;
              case MAX -> Math.max(firstPass, ofModel);
              case MIN -> Math.min(firstPass, ofModel);
            };
        assertEquals((float) combined, hit.floatScore(), 0);
      }
    }
  }

  public void testExplainShowsFeaturesAndScore() throws IOException {
    putModel("m", 20);
    for (int shards : List.of(1, 3)) {
      createCatalogue("e" + shards, shards, 100);
      for (String type : List.of("query_then_fetch", "dfs_query_then_fetch")) {
        String body = request(0, 30, 5, "\"model\":\"m\"");
        List<Hit> hits =
            search(path("e" + shards, type), body.replaceFirst("\\{", "{\"explain\":true,"));
        for (Hit hit : hits) {
          Map<?, ?> explanation = (Map<?, ?>) hit.explanation();
          assertEquals(hit.floatScore(), ((Number) explanation.get("value")).floatValue(), 0);
          boolean rescored = hit.floatScore() >= OutsideWindow.LOWEST_RESCORED;
          String text = explanation.toString();
          assertEquals(text, rescored, text.contains("feature [title]"));
          assertFalse(text, text.contains("feature [unused]"));
        }
      }
    }
  }

  public void testProfileAndNoHits() throws IOException {
    putModel("m", 20);
    createCatalogue("c", 3, 100);
    String body = request(0, 10, 20, "\"model\":\"m\"");
    List<Hit> plain = search(path("c", "query_then_fetch"), body);
    for (String mode : List.of("\"all\"", "null")) {
      call("PUT", "/_cluster/settings", concurrent(mode));
      assertSameHits(
          plain,
          search(path("c", "query_then_fetch"), body.replaceFirst("\\{", "{\"profile\":true,")));
    }
    String none = body.replace(QUERY, "{\"term\":{\"tag\":\"nothing\"}}");
    assertEquals(List.of(), search(path("c", eitherSearchType()), none));
    assertEquals(
        List.of(), search(path("c", eitherSearchType()), request(0, 0, 20, "\"model\":\"m\"")));
  }
}

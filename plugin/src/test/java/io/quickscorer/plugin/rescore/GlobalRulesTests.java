// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What is done to a ranking over all shards: rules, scaling by the window, groups. */
public class GlobalRulesTests extends GlobalTestCase {
  private static final String GLOBAL = "\"scope\":\"global\"";

  /** Column of a feature of {@link TestCatalogue}'s set. */
  private static final int PRICE = 6;

  private static float firstPass(Hit hit) {
    return hit.row()[1];
  }

  public void testFinalIsTheExpressionOfEachHit() throws Exception {
    createIndices();
    putModel("m", 15);
    String rule =
        ",\"final\":\"score * (1 - 0.3 * field.price) + params.w * first_pass_score + price -"
            + " model_score / 4\"";
    for (int i = 0; i < 15; i++) {
      String text = TestCatalogue.words(random, 2);
      String mode = "\"log\":true,\"score_mode\":\"" + randomFrom("replace", "total") + "\"";
      double w = random.nextDouble();
      for (String scope : List.of(GLOBAL, "\"scope\":\"shard\"")) {
        String index = scope.equals(GLOBAL) && random.nextBoolean() ? "of5" : "of1";
        String clause = mode + "," + scope;
        String body =
            body(0, 50, text, 50, clause + rule)
                .replace("\"nowhere\"", "\"w\":" + w + ",\"nowhere\"");
        List<Hit> hits = search("/" + index + "/_search", body);
        assertEquals(50, hits.size());
        float last = Float.POSITIVE_INFINITY;
        for (Hit hit : hits) {
          // What the hit itself shows: two searches may add up first-pass scores in two orders.
          double first = firstPass(hit);
          double model = hit.loggedScore();
          double score = mode.contains("replace") ? model : first + model;
          double price = hit.row()[PRICE];
          double value = score * (1 - 0.3 * price) + w * first + price - model / 4;
          assertEquals((float) (Double.isNaN(value) ? score : value), hit.floatScore(), 0);
          assertTrue(hit.floatScore() <= last);
          last = hit.floatScore();
        }
        String explained = "{\"explain\":true," + body.strip().substring(1);
        for (Hit hit : search("/" + index + "/_search", explained)) {
          Map<?, ?> why = (Map<?, ?>) hit.explanation();
          // A shard's explanation adds up the first pass anew, in an order of its own; w is below
          // 1.
          float largest = Math.max(Math.abs(firstPass(hit)), Math.abs(hit.floatScore()));
          float rounding = scope.equals(GLOBAL) ? 0 : 8 * Math.ulp(largest);
          assertEquals(hit.floatScore(), ((Number) why.get("value")).floatValue(), rounding);
          assertTrue(why.toString(), why.get("description").toString().startsWith("final ["));
          assertTrue(why.toString(), why.toString().contains("input [field.price]"));
          assertTrue(why.toString(), why.toString().contains("raw score of model [m"));
        }
      }
    }
  }

  public void testWrongRulesNameTheirPlace() throws Exception {
    createIndices();
    putModel("m", 15);
    for (String scope : List.of(GLOBAL, "\"scope\":\"shard\"")) {
      for (Map.Entry<String, String> wrong :
          Map.of(
                  "score * nothing", "there is no feature [nothing]",
                  "score * params.absent", "parameter [absent] has no value",
                  "score * params.q", "parameter [q] must be a number",
                  "score * field.absent", "no field [absent]",
                  "score * field.title", "field [title] is of type [text]",
                  "score * ", "[expression]")
              .entrySet()) {
        Map.Entry<Integer, String> failure =
            failure(
                "/of5/_search",
                body(0, 5, "war", 30, scope + ",\"final\":\"" + wrong.getKey() + "\""));
        assertEquals(failure.getValue(), 400, (int) failure.getKey());
        assertTrue(failure.getValue(), failure.getValue().contains(wrong.getValue()));
      }
    }
  }

  public void testCutsAreOnePartOfTheRankingOnAllPages() throws Exception {
    createIndices();
    putModel("m", 15);
    for (int i = 0; i < 40; i++) {
      String path = i % 2 == 0 ? "/of5/_search" : "/of1/_search";
      String text = TestCatalogue.words(random, 2);
      int window = 5 + random.nextInt(DOCUMENTS);
      String clause =
          GLOBAL + ",\"outside_window\":\"" + randomFrom("keep_below", "mix", "drop") + "\"";
      List<Hit> uncut = search(path, body(0, DOCUMENTS, text, window, clause + ",\"log\":true"));
      List<Hit> scored = uncut.stream().filter(hit -> !hit.logged().isEmpty()).toList();
      double least = scored.get(random.nextInt(scored.size())).loggedScore();
      boolean rank = random.nextBoolean();
      int most = 1 + random.nextInt(DOCUMENTS);
      List<Hit> left =
          uncut.stream()
              .filter(hit -> hit.logged().isEmpty() || hit.loggedScore() >= least)
              .toList();
      List<Hit> expected = rank ? left.subList(0, Math.min(most, left.size())) : left;
      String cut = clause + ",\"min_model_score\":" + least + (rank ? ",\"max_rank\":" + most : "");
      int from = random.nextInt(60);
      int size = 1 + random.nextInt(60);
      Map<String, Object> answer = call("POST", path, body(from, size, text, window, cut));
      List<String> page =
          places(expected)
              .subList(Math.min(from, expected.size()), Math.min(from + size, expected.size()));
      assertEquals(page, places(hits(answer)));
      Map<?, ?> ext =
          (Map<?, ?>) ((List<?>) ((Map<?, ?>) answer.get("ext")).get("quickscorer")).get(0);
      long beyond =
          left.stream().skip(expected.size()).filter(hit -> !hit.logged().isEmpty()).count();
      Map<?, ?> counts = (Map<?, ?>) ext.get("cut");
      assertEquals(
          scored.stream().filter(hit -> hit.loggedScore() < least).count(),
          ((Number) counts.get("min_model_score")).longValue());
      // Among hits that mix with the window's, more come in sight on later pages.
      if (!clause.contains("mix")) {
        assertEquals(beyond, ((Number) counts.get("max_rank")).longValue());
      }
    }
    Map<String, Object> none =
        call("POST", "/of5/_search", body(0, 9, "war", 500, GLOBAL + ",\"min_model_score\":1e30"));
    assertEquals(List.of(), hits(none));
    assertNull(((Map<?, ?>) none.get("hits")).get("max_score"));
  }

  private static final String RELATIVE =
      """
      {"features": [
        {"name": "price", "type": "field", "field": "price"},
        {"name": "rank", "type": "field", "field": "price", "normalize": {"window": "rank"}},
        {"name": "z", "type": "field", "field": "price", "normalize": {"window": "z_score"}},
        {"name": "part", "type": "field", "field": "price", "missing": -1,
         "normalize": [{"window": "min_max"}]},
        {"name": "gap", "type": "field", "field": "price",
         "normalize": [{"clip": {"max": 2}}, {"window": "gap_to_best"}]},
        {"name": "first", "type": "first_pass_score", "normalize": {"window": "rank"}}]}
      """;

  public void testFeaturesAreRelativeToTheWindowOfAllShards() throws Exception {
    createIndices();
    FeatureSet set = TestCatalogue.featureSet(RELATIVE);
    CompiledModel model = TestCatalogue.over(set, "relative", random);
    // Of one shard and of five the statistics of terms are the same.
    String five = "/of5/_search?search_type=dfs_query_then_fetch";
    InMemoryModels.MODELS.put("relative", model);
    putFeatureSet("relative", set);
    for (int i = 0; i < 10; i++) {
      String text = tellingWords(2);
      int window = 1 + random.nextInt(60);
      String clause = GLOBAL + ",\"log\":true,\"outside_window\":\"drop\"";
      String body = body(0, window, text, window, clause).replace("\"m\"", "\"relative\"");
      List<Hit> hits = search(five, body);
      assertEquals(places(search("/of1/_search", body)), places(hits));
      List<float[]> rows = hits.stream().map(Hit::row).toList();
      double[] prices =
          rows.stream().mapToDouble(row -> row[0]).filter(p -> !Double.isNaN(p)).sorted().toArray();
      double max = Arrays.stream(prices).max().orElse(0);
      double min = Arrays.stream(prices).min().orElse(0);
      double mean = Arrays.stream(prices).average().orElse(0);
      double variance = Arrays.stream(prices).map(p -> (p - mean) * (p - mean)).average().orElse(0);
      for (int h = 0; h < rows.size(); h++) {
        float[] row = rows.get(h);
        float price = row[0];
        assertEquals(
            Float.isNaN(price)
                ? Float.NaN
                : 1 + Arrays.stream(prices).filter(p -> p > price).count(),
            row[1],
            0);
        float z = variance == 0 ? 0 : (float) ((price - mean) / Math.sqrt(variance));
        assertEquals(Float.isNaN(price) ? Float.NaN : z, row[2], 1e-5);
        float part = max == min ? 0 : (float) ((price - min) / (max - min));
        assertEquals(Float.isNaN(price) ? -1 : part, row[3], 0);
        double clipped = Math.min(2, price);
        assertEquals((float) (Math.min(2, max) - clipped), row[4], 0);
        assertEquals(TestCatalogue.referenceScore(model, row), hits.get(h).loggedScore(), 0);
      }
      assertEquals(
          IntStream.rangeClosed(1, hits.size()).boxed().toList(),
          rows.stream().map(row -> (int) row[5]).sorted().toList());
      String logged =
          "{\"size\":%s,\"query\":%s,\"rescore\":{\"window_size\":%s,\"quickscorer\":{\"feature_set\":\"relative\",%s}}}"
              .formatted(window, query(text), window, GLOBAL);
      Map<String, List<Object>> byId = new LinkedHashMap<>();
      search(five, logged)
          .forEach(hit -> byId.put(hit.id(), List.of(hit.logged().get(0).get("features"))));
      for (Hit hit : hits) {
        assertEquals(byId.get(hit.id()), List.of(hit.logged().get(0).get("features")));
      }
      assertEquals(
          search(five, "{\"size\":%s,\"query\":%s}".formatted(window, query(text))).stream()
              .map(hit -> hit.id() + "=" + hit.score())
              .toList(),
          places(search(five, logged)));
    }
    Map.Entry<Integer, String> perShard =
        failure(
            "/of5/_search", body(0, 5, "war", 30, "\"log\":true").replace("\"m\"", "\"relative\""));
    assertEquals(400, (int) perShard.getKey());
    assertTrue(
        perShard.getValue(), perShard.getValue().contains("feature [rank]: [normalize] window"));
  }

  public void testGroupsHaveTheirBestHitsOverAllShards() throws Exception {
    createIndices();
    putModel("m", 15);
    for (int i = 0; i < 200; i++) {
      String path = "/of" + (i % 2 == 0 ? 1 : 5) + "/_search";
      String text = TestCatalogue.words(random, 2);
      int window = 1 + random.nextInt(DOCUMENTS);
      String field = random.nextBoolean() ? "tag" : "popularity";
      Map<Object, List<String>> groups = new LinkedHashMap<>();
      List<Hit> ranking =
          search(path, body(0, DOCUMENTS, text, window, GLOBAL + ",\"outside_window\":\"drop\""));
      for (Hit hit : ranking) {
        Object value = sources.get(Integer.parseInt(hit.id())).get(field);
        groups
            .computeIfAbsent(String.valueOf(value), v -> new ArrayList<>())
            .add(hit.id() + "=" + hit.score());
      }
      int from = random.nextInt(4);
      int size = 1 + random.nextInt(6);
      int innerFrom = random.nextInt(3);
      int innerSize = 1 + random.nextInt(5);
      String collapse =
          "{\"collapse\":{\"field\":\"%s\",\"inner_hits\":{\"name\":\"others\",\"from\":%s,\"size\":%s}},"
              .formatted(field, innerFrom, innerSize);
      Map<String, Object> answer =
          call(
              "POST", path, collapse + body(from, size, text, window, GLOBAL).strip().substring(1));
      List<List<String>> expected = List.copyOf(groups.values());
      expected =
          expected.subList(Math.min(from, expected.size()), Math.min(from + size, expected.size()));
      assertEquals(expected.stream().map(List::getFirst).toList(), places(hits(answer)));
      List<?> shown = (List<?>) ((Map<?, ?>) answer.get("hits")).get("hits");
      for (int g = 0; g < shown.size(); g++) {
        List<String> group = expected.get(g);
        assertEquals(
            group.subList(
                Math.min(innerFrom, group.size()), Math.min(innerFrom + innerSize, group.size())),
            places(hits(inner((Map<?, ?>) shown.get(g)))));
      }
    }
    call("PUT", "/of5/_mapping", "{\"properties\":{\"span\":{\"type\":\"date_range\"}}}");
    String wrong = body(0, 5, "war", 30, GLOBAL).strip().substring(1);
    for (String collapse :
        List.of(
            "{\"field\":\"span\"}",
            "{\"field\":\"title\"}",
            "{\"field\":\"in_no_mapping\"}",
            "{\"field\":\"tag\",\"inner_hits\":{}}",
            "{\"field\":\"tag\",\"inner_hits\":{\"name\":\"x\",\"sort\":[\"price\"]}}")) {
      assertEquals(
          400, (int) failure("/of5/_search", "{\"collapse\":" + collapse + "," + wrong).getKey());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> inner(Map<?, ?> hit) throws IOException {
    return (Map<String, Object>) ((Map<?, ?>) hit.get("inner_hits")).get("others");
  }
}

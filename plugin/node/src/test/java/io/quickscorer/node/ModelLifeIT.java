// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.ml.lightgbm.PredictionType;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is done with a model beside scoring one window, on a real node and five shards. */
final class ModelLifeIT {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final String INDEX = "life";
  private static final String OTHER = "shop-by-price";
  private static final JudgedQuery QUERY = ShopOnNode.SHOP.queries().get(110);
  private static final JsonMapper JSON = new JsonMapper();

  private static NodeClient client;

  @BeforeAll
  static void putModels() throws Exception {
    client = SharedNode.get().client();
    ShopOnNode shop = new ShopOnNode(client);
    shop.createIndex(INDEX, 5);
    shop.putModel(INDEX);
    // One tree over the price alone, as XGBoost dumps it.
    ObjectNode tree = JSON.createObjectNode();
    tree.put("nodeid", 0).put("split", "price").put("split_condition", 50);
    tree.put("yes", 1).put("no", 2).put("missing", 1);
    tree.putArray("children")
        .add(JSON.createObjectNode().put("nodeid", 1).put("leaf", 2.5))
        .add(JSON.createObjectNode().put("nodeid", 2).put("leaf", 1.5));
    client.put(
        ROOT + "/models/" + OTHER + "?feature_set=" + ShopOnNode.FEATURE_SET,
        JSON.createArrayNode().add(tree).toString());
  }

  private static ObjectNode body(int from, int size, int window) {
    ObjectNode body = ShopOnNode.rescored(QUERY, window, size).put("from", from);
    clause(body).remove("log");
    return body;
  }

  private static ObjectNode clause(ObjectNode body) {
    return body.at("/rescore/quickscorer").asObject();
  }

  private static JsonNode answer(ObjectNode body) {
    return client.post("/" + INDEX + "/_search", body.toString());
  }

  @Test
  void importanceIsOfTheFeaturesThatTheModelTests() {
    JsonNode features = client.get(ROOT + "/models/" + OTHER + "/_importance").get("features");
    long splits = 0;
    for (JsonNode feature : features) {
      splits += feature.get("splits").asLong();
    }
    assertEquals(1, splits);
    assertEquals("price", features.get(0).get("feature").asString());
    JsonNode shop = client.get(ROOT + "/models/" + ShopOnNode.MODEL + "/_importance");
    assertTrue(shop.at("/features/0/total_gain").asDouble() > 0, shop::toString);
  }

  /** LightGBM's own contributions of the row that was scored are the oracle. */
  @Test
  void explanationHasLightGbmsContributions() throws Exception {
    ObjectNode body = ShopOnNode.rescored(QUERY, 100, 5).put("explain", true);
    for (JsonNode hit : answer(body).at("/hits/hits")) {
      float[] row = Ranked.ofHit(hit).features();
      double[] expected = ShopOnNode.byLightGbm(row, PredictionType.C_API_PREDICT_CONTRIB);
      Map<String, Double> contributions = new HashMap<>();
      JsonNode byModel = hit.at("/_explanation/details/0");
      for (JsonNode detail : byModel.get("details")) {
        for (JsonNode inner : detail.get("details")) {
          contributions.put(inner.get("description").asString(), inner.get("value").asDouble());
        }
      }
      List<String> names = ShopOnNode.featureNames();
      for (int f = 0; f < names.size(); f++) {
        Double found = contributions.get("contribution of [" + names.get(f) + "] to the raw score");
        assertEquals(
            expected[f], found == null ? 0 : found, 1e-9 * Math.max(1, Math.abs(expected[f])));
      }
      assertTrue(byModel.toString().contains("tree "), byModel::toString);
    }
  }

  @Test
  void aliasMovesBetweenSearchesThatAllSucceed() throws Exception {
    String alias = ROOT + "/aliases/live";
    client.put(alias, "{\"model\": \"" + ShopOnNode.MODEL + "\"}");
    List<List<String>> rankings = new ArrayList<>();
    for (String model : List.of(ShopOnNode.MODEL, OTHER)) {
      ObjectNode body = body(0, 20, 100);
      clause(body).put("model", model);
      rankings.add(Ranked.places(Ranked.of(answer(body))));
    }
    assertNotEquals(rankings.get(0), rankings.get(1));
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<Integer>> searchers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        searchers.add(threads.submit((Callable<Integer>) () -> searchUntil(over, rankings)));
      }
      try {
        for (int i = 0; i < 20; i++) {
          client.put(alias, "{\"model\": \"" + (i % 2 == 0 ? OTHER : ShopOnNode.MODEL) + "\"}");
          client.post(alias + "/_rollback", "");
        }
      } finally {
        over.set(true);
      }
      for (Future<Integer> searcher : searchers) {
        assertTrue(searcher.get() > 0);
      }
    }
    client.call("DELETE", alias, "");
  }

  private static int searchUntil(AtomicBoolean over, List<List<String>> rankings) {
    int searches = 0;
    while (!over.get()) {
      ObjectNode body = body(0, 20, 100);
      clause(body).put("model", "live");
      JsonNode found = answer(body);
      assertEquals(0, found.at("/_shards/failed").asInt(), found::toString);
      assertTrue(rankings.contains(Ranked.places(Ranked.of(found))), "scored by one of the two");
      searches++;
    }
    return searches;
  }

  /** The model scores exactly what an export gives, whatever the statistics. */
  @ParameterizedTest
  @ValueSource(strings = {"query_then_fetch", "dfs_query_then_fetch"})
  void exportedValuesAreThoseScored(String type) throws Exception {
    ObjectNode request = JSON.createObjectNode().put("index", INDEX).put("format", "ndjson");
    request.put("search_type", type).put("size", 100);
    request.set("query", ShopOnNode.firstPass(QUERY, 100).get("query"));
    ObjectNode judged = request.putArray("queries").addObject().put("qid", QUERY.id());
    judged.set("params", clause(body(0, 1, 1)).get("params"));
    Map<String, float[]> exported = new HashMap<>();
    for (FeatureRows.Hits hits :
        FeatureRows.read(
            List.of(QUERY),
            new QuickScorerApi(client)
                .log(ShopOnNode.FEATURE_SET, request).stream().map(FeatureLog.Line::of).toList())) {
      for (int i = 0; i < hits.ids().size(); i++) {
        exported.put(hits.ids().get(i), hits.values().get(i));
      }
    }
    ObjectNode search = ShopOnNode.rescored(QUERY, 100, 50);
    JsonNode found = client.post("/" + INDEX + "/_search?search_type=" + type, search.toString());
    int compared = 0;
    for (Ranked hit : Ranked.of(found)) {
      float[] values = exported.get(hit.id());
      if (values != null) {
        assertEquals((float) ShopOnNode.scoreByLightGbm(values), hit.score(), 0f, hit.id());
        assertArrayEquals(hit.features(), values, hit.id());
        compared++;
      }
    }
    assertTrue(compared > 10, compared + " hits in both");
  }

  /**
   * 2,000 features of 300 documents: more values than the server holds at a time, and than a MB.
   */
  @Test
  void exportOfManyValuesComesInPieces() {
    ObjectNode set = JSON.createObjectNode();
    ArrayNode features = set.putArray("features");
    for (int f = 0; f < 2_000; f++) {
      ObjectNode feature = features.addObject().put("name", "f" + f);
      feature.put("type", "field").put("field", "price");
      feature.putObject("normalize").putObject("min_max").put("min", 0).put("max", f + 1);
    }
    client.put(ROOT + "/feature_sets/wide", set.toString());
    ObjectNode request = JSON.createObjectNode().put("index", INDEX).put("format", "ndjson");
    // All score the same: what order there is must not depend on how the query is cut.
    request.putObject("query").putObject("match_all");
    request.put("size", 300);
    ArrayNode queries = request.putArray("queries");
    queries.addObject().put("qid", "all");
    ArrayNode ids = queries.addObject().put("qid", "some").putArray("ids");
    ShopOnNode.SHOP.documents().subList(0, 200).forEach(document -> ids.add(document.id()));
    List<String> froms = new ArrayList<>();
    List<String> pieces = export(request, "1mb", froms);
    assertTrue(froms.stream().anyMatch(from -> from.matches("0:[0-9]+")), froms::toString);
    assertTrue(froms.stream().anyMatch(from -> from.matches("1:[0-9]+")), froms::toString);
    assertEquals(export(request, "64mb", new ArrayList<>()), pieces);
    List<String> exported = new ArrayList<>();
    for (String line : pieces) {
      JsonNode row = JSON.readTree(line);
      exported.add(row.get("qid").asString() + "/" + row.get("_id").asString());
      assertEquals(2_000, row.get("features").size());
    }
    List<String> expected = new ArrayList<>();
    for (JsonNode hit :
        client.get("/" + INDEX + "/_search?size=300&_source=false").at("/hits/hits")) {
      expected.add("all/" + hit.get("_id").asString());
    }
    assertEquals(expected, exported.subList(0, 300));
    // The documents that the index lacks are those that were deleted.
    assertEquals(
        ShopOnNode.SHOP.documents().subList(0, 200).stream()
            .map(document -> document.id())
            .filter(id -> !ShopOnNode.isDeleted(id))
            .map(id -> "some/" + id)
            .collect(Collectors.toSet()),
        new HashSet<>(exported.subList(300, exported.size())));
  }

  /** All rows, the pieces' headers left out; {@code froms} gets where each piece but one begins. */
  private static List<String> export(ObjectNode request, String most, List<String> froms) {
    List<String> rows = new ArrayList<>();
    @Nullable String from = "0";
    while (from != null) {
      HttpResponse<String> piece =
          client.exchange(
              "POST",
              ROOT + "/feature_sets/wide/_log?max_bytes=" + most + "&from=" + from,
              "application/json",
              request.toString());
      assertEquals(200, piece.statusCode(), piece::body);
      List<String> lines = piece.body().lines().toList();
      assertTrue(lines.getFirst().startsWith("{\"feature_names\""), lines::getFirst);
      rows.addAll(lines.subList(1, lines.size()));
      from = piece.headers().firstValue("X-Quickscorer-Next").orElse(null);
      if (from != null) {
        froms.add(from);
      }
    }
    return rows;
  }

  @Test
  void validationAndProfileTellTheCostOfEachFeature() {
    ObjectNode trial = JSON.createObjectNode().put("index", INDEX).put("size", 50);
    trial.set("params", clause(body(0, 1, 1)).get("params"));
    JsonNode report =
        client.post(
            ROOT + "/feature_sets/" + ShopOnNode.FEATURE_SET + "/_validate", trial.toString());
    assertEquals(ShopOnNode.featureNames().size(), report.get("features").size());
    JsonNode profiled = answer(body(0, 10, 50).put("profile", true));
    for (JsonNode shard : profiled.at("/profile/shards")) {
      JsonNode last = shard.at("/searches/0/query").valueStream().toList().getLast();
      assertEquals("QuickScorerRescore", last.get("type").asString());
      assertTrue(last.at("/breakdown/extract").asLong() > 0, last::toString);
      assertTrue(last.get("children").size() > 5, last::toString);
    }
    JsonNode drift = client.get(ROOT + "/models/" + ShopOnNode.MODEL + "/_drift");
    assertTrue(drift.at("/features/0/documents").asLong() > 0, drift::toString);
    assertTrue(drift.at("/features/0").has("trained_max"), drift::toString);
  }

  @Test
  void modelsShareOnePassAndShadowsRankNothing() {
    List<String> alone = Ranked.places(Ranked.of(answer(body(0, 20, 100))));
    ObjectNode body = body(0, 20, 100);
    clause(body).remove("model");
    clause(body).putArray("models").add(ShopOnNode.MODEL).add(OTHER);
    JsonNode both = answer(body);
    assertEquals(alone, Ranked.places(Ranked.of(both)));
    clause(body).remove("models");
    clause(body)
        .put("model", ShopOnNode.MODEL)
        .put("log", true)
        .putArray("shadow_models")
        .add(OTHER);
    JsonNode shadowed = answer(body);
    assertEquals(alone, Ranked.places(Ranked.of(shadowed)));
    for (int i = 0; i < 20; i++) {
      JsonNode scores = both.at("/hits/hits/" + i + "/fields/_quickscorer/0/scores");
      JsonNode shadow = shadowed.at("/hits/hits/" + i + "/fields/_quickscorer/0/shadow_scores");
      assertEquals(scores.get(OTHER), shadow.get(OTHER));
      assertEquals(
          (float) scores.get(ShopOnNode.MODEL).asDouble(),
          both.at("/hits/hits/" + i + "/_score").floatValue());
    }
    assertEquals(OTHER, shadowed.at("/ext/quickscorer/0/shadow_models/0/name").asString());
  }

  @Test
  void interleavedPagesShowEachHitsTeam() {
    List<String> ids = new ArrayList<>();
    Map<String, Integer> teams = new HashMap<>();
    for (int from = 0; from < 30; from += 10) {
      ObjectNode body = body(from, 10, 100);
      clause(body).remove("model");
      clause(body).putArray("models").add(ShopOnNode.MODEL).add(OTHER);
      clause(body).putObject("interleave").put("seed", 7);
      for (JsonNode hit : answer(body).at("/hits/hits")) {
        ids.add(hit.get("_id").asString());
        teams.merge(hit.at("/fields/_quickscorer/0/team").asString(), 1, Integer::sum);
      }
    }
    assertEquals(30, new HashSet<>(ids).size());
    assertEquals(Map.of(ShopOnNode.MODEL, 15, OTHER, 15), teams);
  }

  @Test
  void budgetThatIsSpentGivesTheFirstPassOrAnError() {
    ObjectNode firstPass = ShopOnNode.firstPass(QUERY, 15);
    ObjectNode spent = body(0, 15, 100);
    clause(spent).put("budget_ms", 0);
    JsonNode fallen = answer(spent);
    assertEquals(Ranked.places(Ranked.of(answer(firstPass))), Ranked.places(Ranked.of(fallen)));
    assertTrue(fallen.at("/ext/quickscorer/0/fallback").asBoolean());
    clause(spent).put("on_budget", "error");
    NodeClient.Answer error = client.send("POST", "/" + INDEX + "/_search", spent.toString());
    assertEquals(504, error.status(), error.body()::toString);
  }

  /** The other model scores below many a first-pass score, so that mixed hits really mix. */
  @ParameterizedTest
  @CsvSource({
    "keep_below, shop", "keep_below, " + OTHER,
    "drop, shop", "drop, " + OTHER,
    "mix, shop", "mix, " + OTHER
  })
  void pagesNeverRepeatOrLoseAHit(String outside, String model) {
    ObjectNode all = body(0, 500, 8);
    clause(all).put("outside_window", outside).put("model", model);
    List<String> whole = Ranked.places(Ranked.of(answer(all)));
    List<String> pages = new ArrayList<>();
    for (int from = 0; from < whole.size() + 13; from += 13) {
      ObjectNode page = body(from, 13, 8);
      clause(page).put("outside_window", outside).put("model", model);
      pages.addAll(Ranked.places(Ranked.of(answer(page))));
    }
    assertEquals(whole, pages);
    assertTrue(outside.equals("drop") ? whole.size() <= 40 : whole.size() > 40, outside);
  }
}

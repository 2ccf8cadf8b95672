// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.metarank.lightgbm4j.LGBMException;
import io.quickscorer.train.data.JudgedQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rescore clause on a real node. The oracle is LightGBM: every score in an answer must be what
 * LightGBM predicts for the values that the answer shows.
 */
final class RescoreClauseIT {
  private static final List<JudgedQuery> QUERIES = ShopOnNode.SHOP.queries().subList(100, 104);
  private static final JudgedQuery QUERY = QUERIES.getFirst();
  private static final int ALL = 1_000;
  private static final String ONE_SHARD = "shop1";
  private static final String THREE_SHARDS = "shop3";

  private static NodeClient client;

  @BeforeAll
  static void putTheShopOnTheNode() throws Exception {
    client = SharedNode.get().client();
    ShopOnNode shop = new ShopOnNode(client);
    shop.createIndex(ONE_SHARD, 1);
    shop.createIndex(THREE_SHARDS, 3);
    shop.putModel(ONE_SHARD);
  }

  static Stream<Arguments> waysToSearch() {
    return Stream.of(ONE_SHARD, THREE_SHARDS)
        .flatMap(
            index ->
                Stream.of("query_then_fetch", "dfs_query_then_fetch")
                    .map(type -> Arguments.of(index, type)));
  }

  private static List<Ranked> search(String index, ObjectNode body) {
    return search(index, "query_then_fetch", body);
  }

  private static List<Ranked> search(String index, String type, ObjectNode body) {
    return Ranked.of(client.post("/" + index + "/_search?search_type=" + type, body.toString()));
  }

  @Test
  void indexHasSeveralSegmentsAndDeletedDocuments() {
    JsonNode stats = client.get("/" + ONE_SHARD + "/_stats/segments,docs").at("/_all/primaries");
    assertTrue(stats.at("/segments/count").asInt() > 1, stats::toString);
    assertTrue(stats.at("/docs/deleted").asInt() > 0, stats::toString);
  }

  @ParameterizedTest
  @MethodSource("waysToSearch")
  void scoresAreLightGbms(String index, String type) throws LGBMException {
    for (JudgedQuery query : QUERIES) {
      List<Ranked> hits = search(index, type, ShopOnNode.rescored(query, ALL, 50));
      assertTrue(hits.size() > 10, query + " finds too little to order");
      for (Ranked hit : hits) {
        assertEquals((float) ShopOnNode.scoreByLightGbm(hit.features()), hit.score(), 0f, hit.id());
        assertFalse(ShopOnNode.isDeleted(hit.id()), hit.id());
      }
      assertTrue(isSorted(hits), () -> "scores do not descend: " + Ranked.places(hits));
    }
  }

  private static boolean isSorted(List<Ranked> hits) {
    return hits.stream()
        .sorted(Comparator.comparingDouble((Ranked hit) -> -hit.score()))
        .toList()
        .equals(hits);
  }

  @ParameterizedTest
  @MethodSource("waysToSearch")
  void everyClientGetsTheSameOrderAndScores(String index, String type) throws Exception {
    ObjectNode body = ShopOnNode.rescored(QUERY, 100, 20);
    List<String> places = Ranked.places(search(index, type, body));
    for (SearchClient program : SearchClient.values()) {
      JsonNode answer = program.search(SharedNode.get().address(), index, type, body.toString());
      assertEquals(places, Ranked.places(Ranked.of(answer)), program.name());
    }
  }

  /**
   * Features of queries see the statistics that the search's type asks for. A {@code cross_fields}
   * query doesn't, here as anywhere: it blends the statistics of its own shard.
   */
  @Test
  void threeShardsWithGlobalStatisticsHaveTheFeaturesOfOneShard() {
    List<Ranked> one =
        search(ONE_SHARD, "dfs_query_then_fetch", ShopOnNode.rescored(QUERY, ALL, ALL));
    List<Ranked> three =
        search(THREE_SHARDS, "dfs_query_then_fetch", ShopOnNode.rescored(QUERY, ALL, ALL));
    assertEquals(globalFeatures(one), globalFeatures(three));
    List<Ranked> local = search(THREE_SHARDS, ShopOnNode.rescored(QUERY, ALL, ALL));
    assertNotEquals(globalFeatures(one), globalFeatures(local), "without them shards differ");
  }

  /** By document and feature. */
  private static Map<String, Map<String, Float>> globalFeatures(List<Ranked> hits) {
    List<String> names = ShopOnNode.featureNames();
    Map<String, Map<String, Float>> documents = new TreeMap<>();
    for (Ranked hit : hits) {
      Map<String, Float> features = new TreeMap<>();
      for (int f = 0; f < names.size(); f++) {
        if (!Set.of("cross_fields", "all_words_anywhere").contains(names.get(f))) {
          features.put(names.get(f), hit.features()[f]);
        }
      }
      documents.put(hit.id(), features);
    }
    return documents;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 10_000})
  void hitsBeyondTheWindowStayBelowInTheirOldOrder(int window) {
    List<String> firstPass = ids(search(ONE_SHARD, ShopOnNode.firstPass(QUERY, 40)));
    List<Ranked> rescored = search(ONE_SHARD, ShopOnNode.rescored(QUERY, window, 40));
    List<Ranked> whole = search(ONE_SHARD, ShopOnNode.rescored(QUERY, 10_000, ALL));
    if (window < 40) {
      List<String> head = firstPass.subList(0, window);
      List<String> expected = ids(whole.stream().filter(hit -> head.contains(hit.id())).toList());
      assertEquals(expected, ids(rescored).subList(0, window));
      assertEquals(firstPass.subList(window, 40), ids(rescored).subList(window, 40));
    } else {
      assertEquals(ids(whole).subList(0, 40), ids(rescored));
    }
    assertTrue(isSorted(rescored));
  }

  private static List<String> ids(List<Ranked> hits) {
    return hits.stream().map(Ranked::id).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE_SHARD, THREE_SHARDS})
  void pagesOfOneWindowMakeUpTheWholeRanking(String index) {
    List<String> whole = Ranked.places(search(index, ShopOnNode.rescored(QUERY, 100, 30)));
    for (int from = 0; from < 30; from += 10) {
      ObjectNode page = ShopOnNode.rescored(QUERY, 100, 10).put("from", from);
      assertEquals(whole.subList(from, from + 10), Ranked.places(search(index, page)));
    }
  }

  /** A cheap model keeps the best of the window, LightGBM's ranks them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 6, 19})
  void stagesKeepWhatTheFirstModelLikesAndRankItByTheSecond(int keep) throws LGBMException {
    int window = 20;
    client.put(
        "/_plugins/_quickscorer/models/cheap?format=linear_json&feature_set="
            + ShopOnNode.FEATURE_SET,
        "{\"" + ShopOnNode.featureNames().getFirst() + "\": 1}");
    List<String> cheap = ids(search(ONE_SHARD, staged("cheap", window, 0)));
    List<Ranked> dear = search(ONE_SHARD, ShopOnNode.rescored(QUERY, ALL, ALL));
    List<Ranked> hits = search(ONE_SHARD, staged("cheap", window, keep));
    List<String> kept = cheap.subList(0, keep);
    List<String> expected =
        new ArrayList<>(ids(dear.stream().filter(hit -> kept.contains(hit.id())).toList()));
    expected.addAll(cheap.subList(keep, cheap.size()));
    assertEquals(expected, ids(hits));
    assertTrue(isSorted(hits));
    for (Ranked hit : hits.subList(0, keep)) {
      assertEquals((float) ShopOnNode.scoreByLightGbm(hit.features()), hit.score(), 0f, hit.id());
    }
    assertTrue(hits.stream().skip(keep).allMatch(hit -> hit.score() < -0x1p64f));
  }

  /**
   * @param keep 0 for the first model alone
   */
  private static ObjectNode staged(String first, int window, int keep) {
    ObjectNode body = ShopOnNode.firstPass(QUERY, 40);
    ObjectNode clause = ShopOnNode.clause(QUERY, "model", first);
    if (keep > 0) {
      clause.remove("model");
      ArrayNode stages = clause.putArray("stages");
      stages.addObject().put("model", first).put("keep", keep);
      stages.addObject().put("model", ShopOnNode.MODEL);
    }
    body.putObject("rescore").put("window_size", window).set("quickscorer", clause);
    return body;
  }

  @Test
  void queryRescorerAfterwardsAddsToTheModelsScore() {
    List<Ranked> alone = search(ONE_SHARD, ShopOnNode.rescored(QUERY, 100, 20));
    ObjectNode body = ShopOnNode.firstPass(QUERY, 20);
    ArrayNode chain = body.putArray("rescore");
    chain
        .addObject()
        .put("window_size", 100)
        .set("quickscorer", ShopOnNode.clause(QUERY, "model", ShopOnNode.MODEL));
    chain.add(constantRescorer());
    List<Ranked> chained = search(ONE_SHARD, body);
    assertEquals(ids(alone), ids(chained));
    for (int i = 0; i < alone.size(); i++) {
      assertEquals(alone.get(i).score() + 3f, chained.get(i).score(), 0f);
    }
  }

  @Test
  void queryRescorerBeforehandMakesTheFirstPassScoreThatTheModelSees() throws LGBMException {
    ObjectNode body = ShopOnNode.firstPass(QUERY, 20);
    ArrayNode chain = body.putArray("rescore");
    chain.add(constantRescorer());
    chain
        .addObject()
        .put("window_size", 100)
        .set("quickscorer", ShopOnNode.clause(QUERY, "model", ShopOnNode.MODEL));
    List<Ranked> firstPass = search(ONE_SHARD, ShopOnNode.firstPass(QUERY, 100));
    for (Ranked hit : search(ONE_SHARD, body)) {
      float before =
          firstPass.stream().filter(h -> h.id().equals(hit.id())).findFirst().orElseThrow().score();
      assertEquals(
          before + 3f,
          hit.features()[hit.features().length - 1],
          0f,
          "the last feature is the first pass's score");
      assertEquals((float) ShopOnNode.scoreByLightGbm(hit.features()), hit.score(), 0f);
    }
  }

  /** The built-in rescorer; adds 3 to every score. */
  private static ObjectNode constantRescorer() {
    ObjectNode rescore = ShopOnNode.firstPass(QUERY, 0).objectNode().put("window_size", 100);
    ObjectNode query = rescore.putObject("query");
    query.putObject("rescore_query").putObject("match_all").put("boost", 3);
    return rescore;
  }

  @ParameterizedTest
  @EnumSource(ConcurrentSearch.class)
  void concurrentSegmentSearchChangesNothing(ConcurrentSearch mode) {
    ObjectNode body = ShopOnNode.rescored(QUERY, 100, 30);
    List<String> before = Ranked.places(search(ONE_SHARD, body));
    client.put(
        "/" + ONE_SHARD + "/_settings",
        "{\"index.search.concurrent_segment_search.mode\": \"" + mode + "\"}");
    try {
      assertEquals(before, Ranked.places(search(ONE_SHARD, body)));
    } finally {
      client.put(
          "/" + ONE_SHARD + "/_settings",
          "{\"index.search.concurrent_segment_search.mode\": null}");
    }
  }

  /** The values of the index setting; lower case as it is written. */
  private enum ConcurrentSearch {
    none,
    auto,
    all
  }

  @Test
  void wrongClausesAreTheUsersFault() {
    ObjectNode unknownModel = ShopOnNode.firstPass(QUERY, 5);
    unknownModel
        .putObject("rescore")
        .set("quickscorer", ShopOnNode.clause(QUERY, "model", "nobody"));
    assertEquals(404, status(unknownModel));
    ObjectNode noKeywords = ShopOnNode.rescored(QUERY, 10, 5);
    ((ObjectNode) noKeywords.at("/rescore/quickscorer")).remove("params");
    NodeClient.Answer answer =
        client.send("POST", "/" + ONE_SHARD + "/_search", noKeywords.toString());
    assertEquals(400, answer.status(), answer.body()::toString);
    assertTrue(
        answer.body().toString().contains("title_match"), "names the feature: " + answer.body());
    ObjectNode emptyWindow = ShopOnNode.rescored(QUERY, 0, 5);
    assertEquals(400, status(emptyWindow));
  }

  private static int status(ObjectNode body) {
    return client.send("POST", "/" + ONE_SHARD + "/_search", body.toString()).status();
  }
}

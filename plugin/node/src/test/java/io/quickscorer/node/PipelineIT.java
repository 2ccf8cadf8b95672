// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Ndcg;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.client.json.JsonData;
import org.opensearch.client.opensearch.OpenSearchClient;
import org.opensearch.client.opensearch.core.search.Hit;
import org.opensearch.client.transport.OpenSearchTransport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Searches without a clause on a real node: its default pipeline ranks them as the clause does. */
final class PipelineIT {
  private static final List<JudgedQuery> HELD_OUT = ShopOnNode.SHOP.queries().subList(100, 200);
  private static final String INDEX = "piped";

  private static NodeClient client;

  @BeforeAll
  static void putTheShopOnTheNode() throws Exception {
    client = SharedNode.get().client();
    ShopOnNode shop = new ShopOnNode(client);
    shop.createIndex(INDEX, 3);
    shop.putModel(INDEX);
    client.put(
        "/_search/pipeline/shop",
        "{\"request_processors\":[{\"quickscorer\":{\"model\":\"%s\",\"log\":true,\"window_size\":100,\"params_from\":{\"keywords\":{\"query_text\":[\"multi_match\"]}}}}]}"
            .formatted(ShopOnNode.MODEL));
    client.put("/" + INDEX + "/_settings", "{\"index.search.default_pipeline\":\"shop\"}");
  }

  /** A search without a clause; the number of its words is what only its client knows. */
  private static ObjectNode plain(JudgedQuery query, int size) {
    ObjectNode body = ShopOnNode.firstPass(query, size);
    body.putObject("ext")
        .putObject("quickscorer")
        .putObject("params")
        .put("query_words", query.text().split(" ").length);
    return body;
  }

  private static List<Ranked> search(String type, ObjectNode body) {
    String path = "/" + INDEX + "/_search?search_type=" + type;
    return Ranked.of(client.post(path, body.toString()));
  }

  private static List<String> places(String type, ObjectNode body) {
    return Ranked.places(search(type, body));
  }

  /** The same order of the same hits, so whatever measures rankings measures the same. */
  @ParameterizedTest
  @ValueSource(strings = {"query_then_fetch", "dfs_query_then_fetch"})
  void plainSearchesGetTheClausesRanking(String type) {
    double byPipeline = 0;
    double byClause = 0;
    double unranked = 0;
    for (JudgedQuery query : HELD_OUT) {
      List<Ranked> ranked = search(type, plain(query, 20));
      List<Ranked> expected = search(type, ShopOnNode.rescored(query, 100, 20));
      assertEquals(Ranked.places(expected), Ranked.places(ranked), query.text());
      byPipeline += ndcg(query, ranked);
      byClause += ndcg(query, expected);
      unranked += ndcg(query, search(type + "&search_pipeline=_none", plain(query, 20)));
    }
    assertEquals(byClause, byPipeline);
    assertTrue(byPipeline > unranked, byPipeline + " <= " + unranked);
  }

  private static double ndcg(JudgedQuery query, List<Ranked> ranking) {
    return Ndcg.DEFAULT.of(query, ranking.stream().map(Ranked::id).toList());
  }

  /** A search by types that know nothing of the clause. */
  @Test
  void searchesWithTypesGetThem() throws Exception {
    JudgedQuery query = HELD_OUT.getFirst();
    Map<String, Object> params = Map.of("query_words", query.text().split(" ").length);
    try (OpenSearchTransport transport = SearchClient.transport(SharedNode.get().address())) {
      List<Hit<JsonData>> hits =
          new OpenSearchClient(transport)
              .search(
                  s ->
                      s.index(INDEX)
                          .size(20)
                          .source(source -> source.fetch(false))
                          .query(
                              q ->
                                  q.multiMatch(
                                      m -> m.query(query.text()).fields("title^2", "description")))
                          .ext("quickscorer", JsonData.of(Map.of("params", params))),
                  JsonData.class)
              .hits()
              .hits();
      assertEquals(
          places("query_then_fetch", plain(query, 20)),
          hits.stream()
              .map(
                  hit ->
                      new Ranked(
                          String.valueOf(hit.id()),
                          Objects.requireNonNull(hit.score()).floatValue(),
                          new float[0]))
              .map(Ranked::place)
              .toList());
    }
  }

  @Test
  void everyClientGetsThem() throws Exception {
    ObjectNode body = plain(HELD_OUT.getFirst(), 20);
    List<String> places = places("query_then_fetch", body);
    for (SearchClient program : SearchClient.values()) {
      JsonNode answer =
          program.search(SharedNode.get().address(), INDEX, "query_then_fetch", body.toString());
      assertEquals(places, Ranked.places(Ranked.of(answer)), program.name());
    }
  }
}

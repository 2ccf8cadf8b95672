// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.quickscorer.train.data.JudgedQuery;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

  private static List<String> places(String type, ObjectNode body) {
    String path = "/" + INDEX + "/_search?search_type=" + type;
    return Ranked.places(Ranked.of(client.post(path, body.toString())));
  }

  /** The same order of the same hits: whatever measures rankings measures the same. */
  @ParameterizedTest
  @ValueSource(strings = {"query_then_fetch", "dfs_query_then_fetch"})
  void plainSearchesGetTheClausesRanking(String type) {
    int moved = 0;
    for (JudgedQuery query : HELD_OUT) {
      List<String> ranked = places(type, plain(query, 20));
      assertEquals(places(type, ShopOnNode.rescored(query, 100, 20)), ranked, query.text());
      String none = "/" + INDEX + "/_search?search_pipeline=_none";
      JsonNode first = client.post(none, plain(query, 20).toString());
      moved += ranked.equals(Ranked.places(Ranked.of(first))) ? 0 : 1;
    }
    assertNotEquals(0, moved);
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.train.data.JudgedQuery;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The plugin as it is shipped brings the engines of the papers: a clause can name each of them. */
final class PapersNodeIT {
  private static final String INDEX = "shop-for-papers";

  /** Those that need no vectors of a certain width. */
  private static final List<String> ENGINES =
      List.of("struct", "struct+", "codegen", "pred", "vpred", "bwqs", "qs-wide");

  @Test
  void everyEngineRanksAsTheReference() throws Exception {
    NodeClient client = SharedNode.get().client();
    ShopOnNode shop = new ShopOnNode(client);
    shop.createIndex(INDEX, 1);
    shop.putModel(INDEX);
    JudgedQuery query = ShopOnNode.SHOP.queries().getFirst();
    List<Ranked> expected = ranked(client, query, "object");
    for (String engine : ENGINES) {
      assertEquals(Ranked.places(expected), Ranked.places(ranked(client, query, engine)), engine);
    }
  }

  private static List<Ranked> ranked(NodeClient client, JudgedQuery query, String engine) {
    ObjectNode body = ShopOnNode.rescored(query, 200, 50);
    ((ObjectNode) body.at("/rescore/quickscorer")).put("algorithm", engine);
    return Ranked.of(client.post("/" + INDEX + "/_search", body.toString()));
  }
}

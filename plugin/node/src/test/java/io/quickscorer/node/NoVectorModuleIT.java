// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A node whose JVM was started without the vector module answers the same bits, and says what it
 * scores with.
 */
final class NoVectorModuleIT {
  private static final String INDEX = "shop-for-vectors";

  @TempDir private Path data;

  @Test
  void nodeWithoutTheModuleAnswersTheSame() throws Exception {
    NodeClient with = SharedNode.get().client();
    prepare(with);
    try (RunningNode node = SharedNode.another(data, "--no-vector-module")) {
      NodeClient without = node.client();
      prepare(without);
      for (JudgedQuery query : ShopOnNode.SHOP.queries().subList(100, 110)) {
        String body = ShopOnNode.rescored(query, 500, 50).toString();
        List<Ranked> expected = Ranked.of(with.post("/" + INDEX + "/_search", body));
        List<Ranked> found = Ranked.of(without.post("/" + INDEX + "/_search", body));
        assertEquals(Ranked.places(expected), Ranked.places(found), query.text());
      }
      JsonNode vectors = stats(with).get("vectors");
      JsonNode noVectors = stats(without).get("vectors");
      assertTrue(vectors.get("bits").asInt() >= 128, vectors::toString);
      assertEquals(0, noVectors.get("bits").asInt());
      assertFalse(noVectors.get("reason").asString().isEmpty());
      assertNotEquals(engine(with), engine(without));
      assertTrue(node.isAlive());
    }
  }

  private static JsonNode stats(NodeClient client) {
    return client.get("/_plugins/_quickscorer/stats").get("nodes").iterator().next();
  }

  /** What scores the model there. */
  private static String engine(NodeClient client) {
    JsonNode model =
        stats(client)
            .get("models")
            .valueStream()
            .filter(m -> m.get("name").asString().equals(ShopOnNode.MODEL))
            .findFirst()
            .orElseThrow();
    return model.get("engine").asString();
  }

  private static void prepare(NodeClient client) {
    ShopOnNode shop = new ShopOnNode(client);
    shop.createIndex(INDEX, 1);
    shop.putModel(INDEX);
  }
}

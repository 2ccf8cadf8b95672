package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.demo.QuickScorerApi;
import io.quickscorer.demo.corpus.JudgedQuery;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
      String engineWith = new QuickScorerApi(with).stats().toString();
      String engineWithout = new QuickScorerApi(without).stats().toString();
      assertTrue(node.isAlive());
    }
  }

  private static void prepare(NodeClient client) {
    ShopOnNode shop = new ShopOnNode(client);
    shop.createIndex(INDEX, 1);
    shop.putModel(INDEX);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What one cluster exports another imports: the same versions, and the same scores to the bit. */
final class TransferIT {
  private static final String ROOT = "/_plugins/_quickscorer";

  /** Of several chunks, of one chunk, of one tree. */
  private static final List<Integer> TREES = List.of(600, 20, 1);

  @TempDir private Path data;

  @Test
  void modelsAreTheSameInAnotherCluster() throws Exception {
    List<String> pieces = new ArrayList<>();
    List<String> versions = new ArrayList<>();
    try (RunningNode source = SharedNode.another(data)) {
      NodeClient client = source.client();
      NumberedTrees.createIndex(client, "transfer");
      for (int trees : TREES) {
        String path = ROOT + "/models/transfer" + trees + "?feature_set=p";
        client.put(path, NumberedTrees.file(trees, trees));
        versions.add(version(client, trees));
      }
      client.put(ROOT + "/aliases/transfer", "{\"model\": \"transfer20\"}");
      for (String from = ""; from != null; ) {
        HttpResponse<String> piece =
            client.exchange(
                "GET", ROOT + "/_export?max_bytes=100kb&from=" + from, "application/json", "");
        assertEquals(200, piece.statusCode(), piece::body);
        pieces.add(piece.body());
        from = piece.headers().firstValue("X-Quickscorer-Next").orElse(null);
      }
    }
    assertTrue(pieces.size() > 1, pieces.size() + " pieces");
    NodeClient client = SharedNode.get().client();
    NumberedTrees.createIndex(client, "transfer");
    for (String piece : pieces) {
      JsonNode imported = client.post(ROOT + "/_import", piece);
      assertFalse(imported.get("errors").asBoolean(), imported::toString);
    }
    for (int i = 0; i < TREES.size(); i++) {
      int trees = TREES.get(i);
      assertEquals(versions.get(i), version(client, trees));
      JsonNode found = NumberedTrees.search(client, "transfer", "transfer" + trees).body();
      assertEquals(NumberedTrees.scores(trees, trees), NumberedTrees.scores(found));
    }
    JsonNode found = NumberedTrees.search(client, "transfer", "transfer").body();
    assertEquals(NumberedTrees.scores(20, 20), NumberedTrees.scores(found));
    client.call("DELETE", ROOT + "/aliases/transfer", "");
    for (int trees : TREES) {
      client.call("DELETE", ROOT + "/models/transfer" + trees, "");
    }
    client.call("DELETE", "/transfer", "");
  }

  private static String version(NodeClient client, int trees) {
    return client.get(ROOT + "/models/transfer" + trees).get("version").asString();
  }
}

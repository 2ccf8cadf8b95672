// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.gpu.Standin;
import io.quickscorer.train.data.JudgedQuery;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The plugin as it is shipped on a node whose CUDA driver is the stand-in: kernels score searches
 * with the CPU's bits, and when the devices are lost the searches go on.
 */
final class GpuNodeIT {
  private static final String INDEX = "shop-for-devices";

  /** Of graphs: more than loading the model takes; a search takes one. */
  private static final String LAUNCHES = "20";

  private static final int MAX_SEARCHES = 200;

  @TempDir private Path data;

  @Test
  void devicesScoreUntilTheyAreLost() throws Exception {
    try (RunningNode node =
        SharedNode.another(
            data,
            Map.of(
                "LD_LIBRARY_PATH", Standin.folder().toString(), "STANDIN_LOST_AFTER", LAUNCHES))) {
      NodeClient gpu = node.client();
      gpu.put("/_cluster/settings", "{\"persistent\":{\"quickscorer.engine\":\"gpu\"}}");
      ShopOnNode shop = new ShopOnNode(gpu);
      shop.createIndex(INDEX, 1);
      shop.putModel(INDEX);
      JsonNode devices = devices(gpu);
      assertEquals(2, devices.size(), devices::toString);
      assertTrue(total(devices, "bytes") > 0, devices::toString);
      assertSame(gpu, 0, "gpu");
      assertSame(gpu, 1, "gpu-qs");
      devices = devices(gpu);
      assertTrue(total(devices, "calls") >= 2, devices::toString);
      assertEquals(0, total(devices, "failures"), devices::toString);

      int search = 2;
      while (!anyLost(gpu) && search < MAX_SEARCHES) {
        assertSame(gpu, search++, "gpu");
      }
      assertTrue(search < MAX_SEARCHES, "the device was never lost");
      assertSame(gpu, 0, "gpu");
      assertTrue(total(devices(gpu), "failures") > 0);
      assertTrue(node.isAlive());
    }
  }

  /** Devices and the reference answer alike. */
  private static void assertSame(NodeClient client, int number, String algorithm) {
    JudgedQuery query = ShopOnNode.SHOP.queries().get(number % ShopOnNode.SHOP.queries().size());
    ObjectNode body = ShopOnNode.rescored(query, 200, 50);
    ObjectNode clause = (ObjectNode) body.at("/rescore/quickscorer");
    clause.put("algorithm", "object");
    List<Ranked> expected = Ranked.of(client.post("/" + INDEX + "/_search", body.toString()));
    clause.put("algorithm", algorithm);
    List<Ranked> found = Ranked.of(client.post("/" + INDEX + "/_search", body.toString()));
    assertEquals(Ranked.places(expected), Ranked.places(found), query.text());
  }

  private static JsonNode devices(NodeClient client) {
    return client
        .get("/_plugins/_quickscorer/stats")
        .get("nodes")
        .iterator()
        .next()
        .at("/gpu/devices");
  }

  /** Models take devices in turn; the stand-in fails whoever calls it. */
  private static boolean anyLost(NodeClient client) {
    return devices(client).valueStream().anyMatch(device -> device.has("lost"));
  }

  private static long total(JsonNode devices, String counter) {
    return devices.valueStream().mapToLong(device -> device.get(counter).asLong()).sum();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The index in which the plugin stores models, seen from outside: how many documents each upload
 * has there, and how many it should have.
 *
 * @param needed documents by the key of the upload, of the models that there are
 * @param stored likewise, of all that is stored
 */
record Storage(Map<String, Integer> needed, Map<String, Integer> stored) {
  static final String INDEX = "/.quickscorer-models";

  private static final int CHUNK_BYTES = 1 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  static Storage of(RealCluster cluster) {
    cluster.any().post(INDEX + "/_refresh", "");
    JsonNode hits =
        cluster
            .any()
            .get(INDEX + "/_search?size=10000&_source=upload,kind,metadata")
            .at("/hits/hits");
    Map<String, Integer> needed = new TreeMap<>();
    Map<String, Integer> stored = new TreeMap<>();
    for (JsonNode hit : hits) {
      JsonNode source = hit.get("_source");
      if (source.has("upload")) {
        stored.merge(source.get("upload").asString(), 1, Integer::sum);
      }
      if (hit.get("_id").asString().equals("catalogue")) {
        for (JsonNode model : source.at("/metadata/models")) {
          needed.put(model.get("upload").asString(), 1 + model.get("chunks").asInt());
        }
      }
    }
    return new Storage(needed, stored);
  }

  /** Documents of all uploads. */
  int documents() {
    return stored.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Bytes of the index on all nodes. */
  static long bytes(RealCluster cluster) {
    return cluster
        .any()
        .get(INDEX + "/_stats/store")
        .at("/_all/total/store/size_in_bytes")
        .asLong();
  }

  /** Waits until nothing is stored but what the models need, all of it. */
  static Storage await(RealCluster cluster) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Storage now = of(cluster);
    while (!now.needed.equals(now.stored) && System.nanoTime() < end) {
      now = of(cluster);
      Campaign.pause(Duration.ofSeconds(1));
    }
    assertEquals(now.needed, now.stored);
    return now;
  }
}

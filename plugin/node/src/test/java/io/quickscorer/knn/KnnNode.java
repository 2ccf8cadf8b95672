// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.knn;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A node with the real k-NN plugin beside ours, in a data folder of its own. */
final class KnnNode {
  static final String API = "/_plugins/_quickscorer";

  private static final Duration START = Duration.ofMinutes(5);

  private KnnNode() {}

  static RunningNode start(Path data) throws IOException, InterruptedException {
    Path home = Path.of(System.getProperty("knn.home", "")).toAbsolutePath().normalize();
    return RunningNode.start(home, data, List.of(), Map.of(), START);
  }

  /**
   * Makes an index.
   *
   * @param settings beside the numbers of shards and replicas, JSON without braces
   * @param fields their mappings, JSON without braces
   */
  static void createIndex(NodeClient client, String name, String settings, String fields) {
    client.put(
        "/" + name,
        "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0,%s},\"mappings\":{\"properties\":{%s}}}"
            .formatted(settings, fields));
  }
}

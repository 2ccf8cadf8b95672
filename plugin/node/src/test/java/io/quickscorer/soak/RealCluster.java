// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Three real nodes of one cluster. Requests may come from several threads while one thread starts,
 * stops and kills nodes.
 */
final class RealCluster implements AutoCloseable {
  static final int NODES = 3;
  private static final Duration START = Duration.ofMinutes(5);
  private static final String HEAP = "400m";

  private final Path folder;
  private final List<String> settings;
  private final String clusterName;
  private final @Nullable RunningNode[] nodes = new RunningNode[NODES];

  /**
   * @param folder an existing one for the nodes' data
   * @param settings further arguments of each node
   */
  RealCluster(Path folder, String... settings) {
    this.folder = folder;
    this.settings = List.of(settings);
    this.clusterName = "soak-" + folder.getFileName();
  }

  static String name(int node) {
    return "n" + node;
  }

  private Path data(int node) {
    return folder.resolve(name(node));
  }

  /**
   * Starts a node with what it had stored, and returns when it answers: once it has joined the
   * cluster, or has tried to for half a minute.
   */
  void start(int node, Path home) throws IOException, InterruptedException {
    Path data = Files.createDirectories(data(node));
    List<String> arguments = new ArrayList<>(settings);
    arguments.add("-Enode.name=" + name(node));
    arguments.add("-Ecluster.name=" + clusterName);
    arguments.add("-Ediscovery.seed_hosts=" + String.join(",", others(node)));
    if (!Files.exists(data.resolve("nodes"))) {
      arguments.add("-Ecluster.initial_cluster_manager_nodes=" + name(0));
    }
    RunningNode started =
        RunningNode.start(home, data, arguments, Map.of("NODE_HEAP", HEAP), START);
    synchronized (nodes) {
      nodes[node] = started;
    }
  }

  /** Transport addresses of the other nodes that live, and one at which nobody is. */
  private List<String> others(int node) throws IOException {
    List<String> addresses = new ArrayList<>(List.of("127.0.0.1:1"));
    for (int other = 0; other < NODES; other++) {
      if (other != node && isUp(other)) {
        addresses.add(Files.readAllLines(data(other).resolve("logs/transport.ports")).getFirst());
      }
    }
    return addresses;
  }

  boolean isUp(int node) {
    synchronized (nodes) {
      return nodes[node] != null;
    }
  }

  private RunningNode take(int node) {
    synchronized (nodes) {
      RunningNode taken = nodes[node];
      if (taken == null) {
        throw new IllegalStateException(name(node) + " is down");
      }
      nodes[node] = null;
      return taken;
    }
  }

  /** Stops a node as an operator would: no new request goes there, those under way end. */
  void stop(int node) {
    take(node).close();
  }

  void kill(int node) throws InterruptedException {
    take(node).kill();
  }

  NodeClient client(int node) {
    synchronized (nodes) {
      RunningNode there = nodes[node];
      if (there == null) {
        throw new IllegalStateException(name(node) + " is down");
      }
      return there.client();
    }
  }

  /** A client of a node that lives. */
  NodeClient any() {
    for (int node = 0; node < NODES; node++) {
      if (isUp(node)) {
        return client(node);
      }
    }
    throw new IllegalStateException("all nodes are down");
  }

  /**
   * Sends a request as a load balancer does: to a node that is up, and to the next one where the
   * connection breaks.
   *
   * @param first the node to begin with
   */
  NodeClient.Answer send(int first, String method, String path, String body) {
    UncheckedIOException broken = null;
    for (int i = 0; i < 20 * NODES; i++) {
      int node = (first + i) % NODES;
      try {
        if (isUp(node)) {
          return client(node).send(method, path, body);
        }
      } catch (UncheckedIOException | IllegalStateException e) {
        broken = e instanceof UncheckedIOException io ? io : broken;
      }
    }
    throw broken == null ? new IllegalStateException("all nodes are down") : broken;
  }

  /** Waits until all copies of all shards are there, on all nodes. */
  void awaitGreen() {
    JsonNode health =
        any()
            .get(
                "/_cluster/health?wait_for_status=green&wait_for_no_relocating_shards=true"
                    + "&timeout=5m&wait_for_nodes="
                    + NODES);
    assertFalse(health.get("timed_out").asBoolean(), health::toString);
  }

  /** Names of the nodes that a node's cluster has. */
  Set<String> members(int node) {
    Set<String> members = new TreeSet<>();
    client(node)
        .get("/_cat/nodes?format=json&h=name")
        .forEach(row -> members.add(row.get("name").asString()));
    return members;
  }

  /** What a node has printed since it was started last. */
  String log(int node) throws IOException {
    return Files.readString(data(node).resolve("node.log"));
  }

  /** OpenSearch's versions that the nodes have. */
  Set<String> serverVersions() {
    Set<String> versions = new TreeSet<>();
    any()
        .get("/_cat/nodes?format=json&h=version")
        .forEach(row -> versions.add(row.get("version").asString()));
    return versions;
  }

  /** Values of {@code quickscorer.wire} that the nodes have; a node of the first build has none. */
  Set<String> wireVersions() {
    Set<String> versions = new TreeSet<>();
    for (JsonNode row : any().get("/_cat/nodeattrs?format=json&h=node,attr,value")) {
      if (row.get("attr").asString().equals("quickscorer.wire")) {
        versions.add(row.get("value").asString());
      }
    }
    return versions;
  }

  /** Each node lists these models, in the same versions. */
  void requireSameModels(String... names) {
    Map<String, String> first = models(0);
    assertEquals(Set.of(names), first.keySet());
    for (int node = 1; node < NODES; node++) {
      assertEquals(first, models(node), name(node));
    }
  }

  private Map<String, String> models(int node) {
    Map<String, String> versions = new TreeMap<>();
    client(node)
        .get("/_plugins/_quickscorer/models?size=100")
        .get("models")
        .forEach(
            model -> versions.put(model.get("name").asString(), model.get("version").asString()));
    return versions;
  }

  @Override
  public void close() {
    for (int node = 0; node < NODES; node++) {
      if (isUp(node)) {
        stop(node);
      }
    }
  }
}

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
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

  /**
   * Of nodes that do not live long: C2 would take more from the others of a small machine than it
   * gives.
   */
  private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

  private static final String AGENT_TOO =
      " -XX:+UnlockDiagnosticVMOptions -XX:+AllowArchivingWithJavaAgent";

  private final Path folder;
  private final List<String> settings;
  private final String clusterName;
  private final @Nullable RunningNode[] nodes = new RunningNode[NODES];
  private final Set<Integer> withdrawn = ConcurrentHashMap.newKeySet();

  /** Of each node; requests of clients that are under way there hold it for reading. */
  private final List<ReadWriteLock> requests =
      Stream.generate(() -> (ReadWriteLock) new ReentrantReadWriteLock()).limit(NODES).toList();

  private final @Nullable Links links;
  private String javaOptions = "";
  private int diedAlone;

  /** Nodes that reach each other directly. */
  RealCluster(Path folder, String... settings) {
    this(folder, null, settings);
  }

  /**
   * @param folder an existing one for the nodes' data
   * @param links through which alone the nodes reach each other; null for directly
   * @param settings further arguments of each node
   */
  RealCluster(Path folder, @Nullable Links links, String... settings) {
    this.folder = folder;
    this.links = links;
    this.settings = List.of(settings);
    this.clusterName = "soak-" + folder.getFileName();
  }

  static String name(int node) {
    return "n" + node;
  }

  private Path data(int node) {
    return folder.resolve(name(node));
  }

  /** Makes later starts cheap; takes one itself. Not for nodes that work for long. */
  void prepareShortLives() throws IOException, InterruptedException {
    Path archive = folder.resolve("classes.jsa");
    Path data = Files.createDirectories(folder.resolve("first"));
    String dump = SHORT_LIVED + AGENT_TOO + " -XX:ArchiveClassesAtExit=" + archive;
    try (RunningNode first =
        RunningNode.start(
            RunningNode.home(),
            data,
            List.of(),
            Map.of("NODE_HEAP", HEAP, "NODE_JAVA_OPTS", dump),
            START)) {
      ProcessHandle.of(first.pid()).ifPresent(ProcessHandle::destroy);
      first.await();
    }
    javaOptions =
        SHORT_LIVED
            + (Files.exists(archive) ? AGENT_TOO + " -XX:SharedArchiveFile=" + archive : "");
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
    if (links == null) {
      arguments.add("-Ediscovery.seed_hosts=" + String.join(",", others(node)));
    } else {
      arguments.addAll(links.settings(node, transportPorts(node)));
    }
    if (!Files.exists(data.resolve("nodes"))) {
      arguments.add("-Ecluster.initial_cluster_manager_nodes=" + name(0));
    }
    RunningNode started =
        RunningNode.start(
            home, data, arguments, Map.of("NODE_HEAP", HEAP, "NODE_JAVA_OPTS", javaOptions), START);
    synchronized (nodes) {
      nodes[node] = started;
    }
  }

  /** Transport addresses of the other nodes that live, and one at which nobody is. */
  private List<String> others(int node) throws IOException {
    List<String> addresses = new ArrayList<>(List.of("127.0.0.1:1"));
    for (int other = 0; other < NODES; other++) {
      if (other != node && isUp(other)) {
        addresses.add(Files.readAllLines(transportPorts(other)).getFirst());
      }
    }
    return addresses;
  }

  /** The file in which a node writes its own transport address when it has one. */
  private Path transportPorts(int node) {
    return data(node).resolve("logs/transport.ports");
  }

  /** Starts nodes again that have ended by themselves. */
  void startAgainWhereDead() throws IOException, InterruptedException {
    for (int node = 0; node < NODES; node++) {
      if (isUp(node) && !running(node).isAlive()) {
        diedAlone++;
        kill(node);
        start(node, RunningNode.home());
      }
    }
  }

  /** How many nodes that has started. */
  int diedAlone() {
    return diedAlone;
  }

  /** The number of the process of a node that is up. */
  long pid(int node) {
    return running(node).pid();
  }

  private RunningNode running(int node) {
    synchronized (nodes) {
      RunningNode there = nodes[node];
      if (there == null) {
        throw new IllegalStateException(name(node) + " is down");
      }
      return there;
    }
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
    return running(node).client();
  }

  /** The elected manager. */
  int manager() {
    String manager = any().get("/_cat/cluster_manager?format=json").at("/0/node").asString();
    for (int node = 0; node < NODES; node++) {
      if (name(node).equals(manager)) {
        return node;
      }
    }
    throw new IllegalStateException("no manager: " + manager);
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
   * Sends a request as a load balancer does: to a node that is up and not withdrawn, and to the
   * next one where the connection breaks.
   *
   * @param first the node to begin with
   */
  NodeClient.Answer send(int first, String method, String path, String body) {
    UncheckedIOException broken = null;
    for (int i = 0; i < 20 * NODES; i++) {
      int node = (first + i) % NODES;
      Lock request = requests.get(node).readLock();
      request.lock();
      try {
        if (isUp(node) && !withdrawn.contains(node)) {
          return client(node).send(method, path, body);
        }
      } catch (UncheckedIOException | IllegalStateException e) {
        broken = e instanceof UncheckedIOException io ? io : broken;
      } finally {
        request.unlock();
      }
    }
    throw broken == null ? new IllegalStateException("all nodes are down") : broken;
  }

  /**
   * Keeps {@link #send} from a node, as an operator takes it from a load balancer; returns when
   * requests that are under way there have been answered.
   */
  void withdraw(int node) {
    withdrawn.add(node);
    Lock ended = requests.get(node).writeLock();
    ended.lock();
    ended.unlock();
  }

  /** Lets {@link #send} go to a node again. */
  void admit(int node) {
    withdrawn.remove(node);
  }

  /** Waits until all copies of all shards are there, on all nodes. */
  void awaitGreen() {
    NodeClient.Answer health =
        any()
            .send(
                "GET",
                "/_cluster/health?wait_for_status=green&wait_for_no_relocating_shards=true"
                    + "&timeout=4m&cluster_manager_timeout=4m&wait_for_nodes="
                    + NODES,
                "");
    assertFalse(
        health.isError() || health.body().get("timed_out").asBoolean(),
        () ->
            health
                + "\n"
                + said(
                    "/_cat/shards?h=index,shard,prirep,state,node,unassigned.details&",
                    "/_cat/recovery?",
                    "/_cat/nodes?h=name,search.open_contexts&"));
  }

  private String said(String... paths) {
    StringBuilder said = new StringBuilder();
    for (String path : paths) {
      said.append(any().send("GET", path + "format=json", "").body()).append('\n');
    }
    return said.toString();
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

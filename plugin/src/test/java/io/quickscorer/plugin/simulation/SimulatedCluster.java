// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.ModelSettings;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.routing.allocation.AllocationService;
import org.opensearch.common.Priority;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.gateway.GatewayService;
import org.opensearch.test.disruption.DisruptableMockTransport.ConnectionStatus;

/** The nodes of a simulation, their processes, and the network between them. */
final class SimulatedCluster {
  /** Milliseconds after which a change is sent again that has not been made. */
  private static final long AGAIN = 5_000;

  final Timeline timeline;
  final Random random;
  final Network network;
  final Backups backups = new Backups(this);
  private final Trace trace;
  private final NodeEnvironment environment;
  private final List<Disk> disks = new ArrayList<>();
  private final List<@Nullable SimulatedNode> nodes = new ArrayList<>();
  private final @Nullable SimulatedNode[] unnoticed;
  private final long[] skews;
  private final long[] fullUntil;
  private final int recoverAfter;
  private final Map<String, Integer> allocations = new HashMap<>();

  /**
   * @param recoverAfter the number of nodes that a new manager waits for before it uses its stored
   *     cluster state
   */
  SimulatedCluster(
      int size, int recoverAfter, Random random, Trace trace, NodeEnvironment environment) {
    this.recoverAfter = recoverAfter;
    this.random = random;
    this.trace = trace;
    this.environment = environment;
    timeline = new Timeline(random);
    network = new Network(random, this::trace);
    unnoticed = new SimulatedNode[size];
    skews = new long[size];
    fullUntil = new long[size];
    for (int i = 0; i < size; i++) {
      disks.add(new Disk());
      nodes.add(null);
    }
  }

  /** Notes an event. */
  void trace(String event) {
    trace.add(timeline.getCurrentTimeMillis(), event);
  }

  static TransportAddress address(int number) {
    return new TransportAddress(InetAddress.getLoopbackAddress(), 9_300 + number);
  }

  List<TransportAddress> addresses() {
    return IntStream.range(0, nodes.size()).mapToObj(SimulatedCluster::address).toList();
  }

  Settings settings(String name) {
    return Settings.builder()
        .put("cluster.name", "simulated")
        .put("node.name", name)
        .put("node.processors", 1)
        .putList(
            "cluster.initial_cluster_manager_nodes",
            IntStream.range(0, nodes.size()).mapToObj(node -> "n" + node).toList())
        .put("cluster.routing.rebalance.enable", "none")
        .put(GatewayService.RECOVER_AFTER_DATA_NODES_SETTING.getKey(), recoverAfter)
        .put(ModelSettings.WARM_UP.getKey(), "0ms")
        .put(ModelSettings.ENGINE.getKey(), "object")
        .put(ModelSettings.SWEEP_AFTER.getKey(), "2m")
        .build();
  }

  /** Milliseconds by which a node's wall clock is ahead. */
  long skew(int number) {
    return skews[number];
  }

  /**
   * Whether the wall clock of any node is ahead or behind, at the latest from its next start on.
   */
  boolean isSkewed() {
    return Arrays.stream(skews).anyMatch(skew -> skew != 0);
  }

  void setSkew(int number, long millis) {
    skews[number] = millis;
  }

  /** Whether a node has no memory for models. */
  boolean isFull(int number) {
    return timeline.getCurrentTimeMillis() < fullUntil[number];
  }

  /** Leaves a node without memory for models until a moment. */
  void fill(int number, long until) {
    fullUntil[number] = until;
  }

  int size() {
    return nodes.size();
  }

  /** The running process of a node, or null. */
  @Nullable SimulatedNode node(int number) {
    return nodes.get(number);
  }

  /** The processes that run. */
  List<SimulatedNode> running() {
    List<SimulatedNode> running = new ArrayList<>();
    for (SimulatedNode node : nodes) {
      if (node != null) {
        running.add(node);
      }
    }
    return running;
  }

  /** The elected cluster manager that all others follow, or null. */
  @Nullable SimulatedNode manager() {
    return running().stream().filter(SimulatedNode::leads).findFirst().orElse(null);
  }

  /** The disk of a node. */
  Disk disk(int number) {
    return disks.get(number);
  }

  /** Milliseconds until a writing is synced; few take long. */
  long syncMillis() {
    return 1 + random.nextInt(random.nextInt(20) == 0 ? 500 : 3);
  }

  /**
   * Has the manager change the cluster state, again until it has been done.
   *
   * @param done is told when it has been done
   */
  void change(
      String what,
      BiFunction<ClusterState, AllocationService, ClusterState> change,
      Runnable done) {
    change(what, change, new AtomicReference<>(done));
  }

  private void change(
      String what,
      BiFunction<ClusterState, AllocationService, ClusterState> change,
      AtomicReference<@Nullable Runnable> done) {
    SimulatedNode manager = manager();
    if (manager != null) {
      manager.clusterService.submitStateUpdateTask(
          what,
          new ClusterStateUpdateTask(Priority.URGENT) {
            @Override
            public ClusterState execute(ClusterState state) {
              return change.apply(state, manager.allocation);
            }

            @Override
            public void onFailure(String source, Exception failure) {
              trace(what + ": " + failure.getMessage());
            }

            @Override
            public void clusterStateProcessed(String source, ClusterState old, ClusterState now) {
              trace(what + ": done");
              Runnable first = done.getAndSet(null);
              if (first != null) {
                first.run();
              }
            }
          });
    }
    timeline.scheduleAt(
        timeline.getCurrentTimeMillis() + AGAIN,
        () -> {
          if (done.get() != null) {
            change(what, change, done);
          }
        });
  }

  /** The number of the node with an id. */
  static int number(String id) {
    return Integer.parseInt(id.substring(1));
  }

  /** The copy of the shard on a node's disk, if the node runs. */
  @Nullable ShardCopy copy(String id) {
    int number = number(id);
    return nodes.get(number) == null ? null : disks.get(number).copy;
  }

  /**
   * Returns the number of an allocation of a copy. The ids are random texts, other ones each time;
   * the numbers are in the order of the first calls.
   */
  int allocation(String id) {
    return allocations.computeIfAbsent(id, unknown -> allocations.size());
  }

  void start(int number) {
    if (nodes.get(number) == null) {
      trace("start n" + number);
      SimulatedNode killed = unnoticed[number];
      if (killed != null) {
        // The host knows nothing of the connections that others still have, and says so.
        running().forEach(other -> disconnect(other, killed));
        unnoticed[number] = null;
      }
      nodes.set(number, new SimulatedNode(this, number, disks.get(number), environment));
    }
  }

  /**
   * Ends a node's process.
   *
   * @param noticed whether the others see their connections end, as they do unless its host ends
   */
  void kill(int number, boolean noticed) {
    SimulatedNode killed = nodes.get(number);
    if (killed == null) {
      return;
    }
    trace("kill n" + number + (noticed ? "" : " with its host"));
    killed.kill();
    nodes.set(number, null);
    if (noticed) {
      running().forEach(other -> disconnect(other, killed));
    } else {
      disks.get(number).losePower();
      unnoticed[number] = killed;
    }
  }

  /** Ends the connections from one process to another, which opens new ones some time later. */
  void disconnect(SimulatedNode from, SimulatedNode to) {
    from.time.after(network.delay(), () -> from.transport.disconnect(to.transport));
  }

  /** Cuts one direction between two nodes. */
  void cut(int from, int to, ConnectionStatus how) {
    network.cut("n" + from, "n" + to, how);
    SimulatedNode source = nodes.get(from);
    SimulatedNode target = nodes.get(to);
    if (how == ConnectionStatus.DISCONNECTED && source != null && target != null) {
      disconnect(source, target);
    }
  }

  /** Runs for some simulated milliseconds. */
  void run(long millis) {
    timeline.runUntil(timeline.getCurrentTimeMillis() + millis);
  }
}

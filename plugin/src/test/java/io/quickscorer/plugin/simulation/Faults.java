// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.simulation.Step.Fault;
import io.quickscorer.plugin.simulation.Step.Operation;
import io.quickscorer.plugin.simulation.Step.Trouble;
import java.util.function.Consumer;
import java.util.function.Function;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlocks;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.allocation.AllocationService;
import org.opensearch.cluster.routing.allocation.command.AllocationCommands;
import org.opensearch.test.disruption.DisruptableMockTransport.ConnectionStatus;

/** Does what goes wrong in a simulation, and heals it. */
final class Faults {
  /** Simulated milliseconds after the last fault in which nodes may have no memory yet. */
  private static final long FULL = 60_000;

  /** Milliseconds after which a process starts again that had to end. */
  private static final long RESTART = 1_000;

  private final SimulatedCluster cluster;
  private final Counts counts;
  private final Consumer<SimulatedNode> lost;
  private final Function<Operation, Runnable> history;

  /** Whether the index of models must not be written. */
  private boolean blocked;

  /**
   * @param lost is told of processes that end
   * @param history notes that an operation begins; the result notes that it has been done
   */
  Faults(
      SimulatedCluster cluster,
      Counts counts,
      Consumer<SimulatedNode> lost,
      Function<Operation, Runnable> history) {
    this.cluster = cluster;
    this.counts = counts;
    this.lost = lost;
    this.history = history;
  }

  void disturb(Fault fault) {
    counts.faults++;
    cluster.trace(fault.toString());
    int nodes = concerned(fault.nodes());
    long end = cluster.timeline.getCurrentTimeMillis() + fault.duration();
    switch (fault.trouble()) {
      case PARTITION, ONE_WAY, DISCONNECT -> {
        ConnectionStatus how =
            fault.trouble() == Trouble.DISCONNECT
                ? ConnectionStatus.DISCONNECTED
                : ConnectionStatus.BLACK_HOLE;
        cut(nodes, how, fault.trouble() == Trouble.ONE_WAY);
        cluster.timeline.scheduleAt(end, cluster.network::heal);
      }
      case DISTURB -> {
        cluster.network.disturb(20 * fault.amount(), fault.amount() / 1_000.0);
        cluster.timeline.scheduleAt(end, cluster.network::heal);
      }
      case BACK_UP -> cluster.backups.backUp();
      case RESTORE -> cluster.backups.restore(fault.duration(), history);
      default -> {
        for (int number = 0; number < cluster.size(); number++) {
          if ((nodes >> number & 1) == 1) {
            disturb(fault, number, end);
          }
        }
      }
    }
  }

  /** A bit for each node that a fault concerns. */
  private int concerned(int nodes) {
    SimulatedNode leader = cluster.manager();
    if (leader == null) {
      return nodes & ~Fault.PRIMARY;
    }
    if ((nodes & Fault.PRIMARY) != 0) {
      IndexShardRoutingTable routing = ShardHost.routing(leader.state());
      String primary = routing == null ? null : routing.primaryShard().currentNodeId();
      int number = primary == null ? leader.number() : SimulatedCluster.number(primary);
      return nodes & ~Fault.PRIMARY | 1 << number;
    }
    return nodes == 0 ? 1 << leader.number() : nodes;
  }

  private void disturb(Fault fault, int number, long end) {
    SimulatedNode node = cluster.node(number);
    if (fault.trouble() == Trouble.SKEW) {
      cluster.setSkew(number, fault.amount());
    }
    if (fault.trouble() == Trouble.UPGRADE && fault.amount() == 0) {
      cluster.disk(number).plugin = true;
    }
    if (node == null) {
      return;
    }
    switch (fault.trouble()) {
      case KILL, KILL_HOST, FULL -> {
        kill(node, fault.trouble() != Trouble.KILL_HOST, end);
        if (fault.trouble() == Trouble.FULL) {
          cluster.fill(number, Long.MAX_VALUE);
        }
      }
      case UPGRADE -> {
        if (node.plugin != cluster.disk(number).plugin) {
          kill(node, true, end);
        }
      }
      case LOSE -> {
        // The process that writes, which need not be the one that runs now.
        Runnable ends = () -> kill(cluster.node(number), false, end);
        if (fault.amount() == 1) {
          cluster.disk(number).endsWithState = ends;
        } else {
          cluster.disk(number).endsWithDocument = ends;
        }
      }
      case DISK_FULL -> {
        blocked |= fault.amount() == 1;
        cluster.disk(number).full |= fault.amount() == 0;
        adjustIndex();
        cluster.timeline.scheduleAt(end, () -> free(number));
      }
      case PAUSE -> node.time.pause(fault.duration());
      case SLOW -> {
        node.time.slowDown(fault.amount());
        cluster.timeline.scheduleAt(end, () -> node.time.slowDown(1));
      }
      default -> {}
    }
  }

  private void kill(SimulatedNode node, boolean noticed, long restart) {
    counts.kills++;
    lost.accept(node);
    cluster.kill(node.number(), noticed);
    cluster.timeline.scheduleAt(restart, () -> cluster.start(node.number()));
  }

  private void free(int number) {
    cluster.disk(number).full = false;
    blocked = false;
    adjustIndex();
  }

  /**
   * Blocks the index as the manager does while a disk is nearly full; otherwise has the manager try
   * again to allocate copies that could not be written.
   */
  private void adjustIndex() {
    cluster.change("adjust the index", this::adjusted, () -> {});
  }

  private ClusterState adjusted(ClusterState state, AllocationService allocation) {
    ClusterBlocks.Builder blocks =
        ClusterBlocks.builder()
            .blocks(state.blocks())
            .removeIndexBlock(ModelIndex.NAME, IndexMetadata.INDEX_READ_ONLY_ALLOW_DELETE_BLOCK);
    if (blocked) {
      blocks.addIndexBlock(ModelIndex.NAME, IndexMetadata.INDEX_READ_ONLY_ALLOW_DELETE_BLOCK);
    }
    return allocation
        .reroute(
            ClusterState.builder(state).blocks(blocks).build(),
            new AllocationCommands(),
            false,
            true)
        .getClusterState();
  }

  private void cut(int nodes, ConnectionStatus how, boolean oneWay) {
    for (int a = 0; a < cluster.size(); a++) {
      for (int b = 0; b < cluster.size(); b++) {
        boolean leaves = (nodes >> a & 1) == 1 && (nodes >> b & 1) == 0;
        if (leaves) {
          cluster.cut(b, a, how);
          if (!oneWay) {
            cluster.cut(a, b, how);
          }
        }
      }
    }
  }

  void heal() {
    cluster.trace("everything heals");
    cluster.network.heal();
    for (int number = 0; number < cluster.size(); number++) {
      cluster.disk(number).endsWithState = null;
      cluster.disk(number).endsWithDocument = null;
      cluster.disk(number).full = false;
      cluster.start(number);
      if (cluster.isFull(number)) {
        cluster.fill(number, cluster.timeline.getCurrentTimeMillis() + FULL);
      }
    }
    blocked = false;
    adjustIndex();
  }

  /** Installs the plugin on the nodes that lack it. */
  void upgrade() {
    for (SimulatedNode node : cluster.running()) {
      if (!node.plugin) {
        cluster.disk(node.number()).plugin = true;
        kill(node, true, cluster.timeline.getCurrentTimeMillis() + RESTART);
      }
    }
  }
}

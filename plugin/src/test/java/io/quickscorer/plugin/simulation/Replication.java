// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.simulation.ShardRequest.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.action.shard.ShardStateAction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.index.translog.Translog;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Brings what a copy of the simulated shard has written to its disk and to the other copies. */
final class Replication {
  /** Milliseconds after which a copy is synced that need not be synced before each answer. */
  private static final long SYNC_EVERY = 5_000;

  private final Disk disk;
  private final NodeTime time;
  private final ClusterService clusterService;
  private final TransportService transport;
  private final ShardStateAction states;
  private final SimulatedCluster cluster;
  private final Consumer<ShardCopy> demoted;

  /**
   * @param demoted is told of a copy when another one is the primary
   */
  Replication(
      Disk disk,
      NodeTime time,
      ClusterService clusterService,
      TransportService transport,
      ShardStateAction states,
      SimulatedCluster cluster,
      Consumer<ShardCopy> demoted) {
    this.disk = disk;
    this.time = time;
    this.clusterService = clusterService;
    this.transport = transport;
    this.states = states;
    this.cluster = cluster;
    this.demoted = demoted;
  }

  /** Sends a request to a node's copy. */
  void send(DiscoveryNode node, ShardRequest request, ActionListener<ShardAnswer> listener) {
    transport.sendRequest(
        node,
        ShardHost.ACTION,
        request,
        new ActionListenerResponseHandler<>(listener, ShardAnswer::new, ThreadPool.Names.GENERIC));
  }

  /** The copies on other nodes. */
  List<ShardRouting> others(ClusterState state) {
    List<ShardRouting> others = new ArrayList<>();
    IndexShardRoutingTable routing = ShardHost.routing(state);
    if (routing != null) {
      for (ShardRouting shard : routing.assignedShards()) {
        if (!state.nodes().getLocalNodeId().equals(shard.currentNodeId())) {
          others.add(shard);
        }
      }
    }
    others.sort(Comparator.comparing(ShardRouting::currentNodeId));
    return others;
  }

  /** Answers when a copy has been synced, or at once if the index is synced now and then only. */
  void sync(ShardCopy copy, ActionListener<Void> listener) {
    IndexMetadata index = clusterService.state().metadata().index(ModelIndex.NAME);
    if (index != null
        && IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.get(index.getSettings())
            == Translog.Durability.ASYNC) {
      time.after(SYNC_EVERY, () -> disk.sync(copy));
      listener.onResponse(null);
      return;
    }
    time.after(
        cluster.syncMillis(),
        () -> {
          if (disk.sync(copy)) {
            listener.onResponse(null);
          }
        });
  }

  /**
   * Answers when all copies have it, or are stale by the manager's word.
   *
   * @param recipients the allocations of copies that have begun to recover from this one
   */
  void replicate(
      Kind kind,
      ShardCopy copy,
      List<ShardDocument> documents,
      Set<String> recipients,
      ActionListener<Void> listener) {
    ClusterState state = clusterService.state();
    IndexMetadata index = state.metadata().index(ModelIndex.NAME);
    if (index == null) {
      listener.onFailure(new ShardNotFoundException(copy.shard));
      return;
    }
    long term = copy.term();
    Set<String> stale = new TreeSet<>(Comparator.comparingInt(cluster::allocation));
    stale.addAll(index.inSyncAllocationIds(0));
    stale.remove(copy.allocation);
    List<ShardRouting> replicas = new ArrayList<>();
    for (ShardRouting shard : others(state)) {
      stale.remove(shard.allocationId().getId());
      if (shard.active() || recipients.contains(shard.allocationId().getId())) {
        replicas.add(shard);
      }
    }
    ActionListener<Void> all =
        new GroupedActionListener<>(
            ActionListener.map(listener, done -> null), 1 + replicas.size() + stale.size());
    sync(copy, all);
    for (ShardRouting shard : replicas) {
      String allocation = shard.allocationId().getId();
      ShardRequest request = ShardRequest.of(kind, allocation, term, documents);
      DiscoveryNode node = state.nodes().get(shard.currentNodeId());
      ActionListener<ShardAnswer> done =
          ActionListener.wrap(
              answer -> all.onResponse(null),
              failure -> markStale(copy, allocation, term, failure, all));
      if (node == null) {
        done.onFailure(new ShardNotFoundException(copy.shard));
      } else {
        send(node, request, done);
      }
    }
    for (String allocation : stale) {
      markStale(copy, allocation, term, new IllegalStateException("not assigned"), all);
    }
  }

  private void markStale(
      ShardCopy copy, String allocation, long term, Exception why, ActionListener<Void> listener) {
    states.remoteShardFailed(
        copy.shard,
        allocation,
        term,
        true,
        "simulated",
        why,
        ActionListener.wrap(
            done -> listener.onResponse(null),
            failure -> {
              Throwable cause = ExceptionsHelper.unwrapCause(failure);
              if (cause instanceof ShardStateAction.NoLongerPrimaryShardException) {
                // Another copy is the primary: this one ends, and the sender tries again.
                demoted.accept(copy);
              }
              listener.onFailure(
                  new ShardNotFoundException(copy.shard, "no longer the primary", failure));
            }));
  }
}

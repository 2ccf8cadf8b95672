// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.simulation.ShardRequest.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.UnavailableShardsException;
import org.opensearch.action.support.ChannelActionListener;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.action.shard.ShardStateAction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.RecoverySource;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportChannel;
import org.opensearch.transport.TransportService;

/**
 * A process's half of the simulated shard: starts, recovers and promotes its copy as the cluster
 * state says, and answers requests. A write counts when all copies have it, or the cluster manager
 * has marked those as stale that don't; the manager's half is the server's own.
 */
final class ShardHost implements ClusterStateListener {
  /** The action by which nodes ask for a copy. */
  static final String ACTION = "internal:simulation/shard";

  private static final long RETRY = 500;
  private final Disk disk;
  private final NodeTime time;
  private final ClusterService clusterService;
  private final ShardStateAction states;
  private final SimulatedCluster cluster;
  private final Replication replication;
  private @Nullable ShardCopy active;
  private boolean primary;
  private String recovering = "";

  /** Allocations of copies that have begun to recover from this one. */
  private final Set<String> recipients = new HashSet<>();

  ShardHost(
      Disk disk,
      NodeTime time,
      ClusterService clusterService,
      TransportService transport,
      ShardStateAction states,
      SimulatedCluster cluster) {
    this.disk = disk;
    this.time = time;
    this.clusterService = clusterService;
    this.states = states;
    this.cluster = cluster;
    replication =
        new Replication(disk, time, clusterService, transport, states, cluster, this::end);
    transport.registerRequestHandler(
        ACTION,
        ThreadPool.Names.GENERIC,
        ShardRequest::new,
        (request, channel, task) -> answer(request, channel));
  }

  static @Nullable IndexShardRoutingTable routing(ClusterState state) {
    return state.routingTable().hasIndex(ModelIndex.NAME)
        ? state.routingTable().index(ModelIndex.NAME).shard(0)
        : null;
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    ClusterState state = event.state();
    IndexMetadata index = state.metadata().index(ModelIndex.NAME);
    ShardRouting own = own(state);
    if (index == null || own == null) {
      active = null;
      primary = false;
      recovering = "";
      return;
    }
    String allocation = own.allocationId().getId();
    cluster.allocation(allocation);
    if (active != null && !active.allocation.equals(allocation)) {
      active = null;
      primary = false;
    }
    if (own.initializing()) {
      if (!allocation.equals(recovering)) {
        recovering = allocation;
        recover(own, index.primaryTerm(0));
      } else if (active != null) {
        // The manager has not heard of it, or is another one.
        started(own, index.primaryTerm(0));
      }
    } else if (active == null) {
      // The manager lists the copy as started, but this process was restarted and lacks it.
      fail(own, "is not there");
    } else if (own.primary()) {
      promote(active, index.primaryTerm(0));
    } else {
      primary = false;
    }
  }

  private static @Nullable ShardRouting own(ClusterState state) {
    ShardRouting own = null;
    IndexShardRoutingTable routing = routing(state);
    if (routing != null) {
      for (ShardRouting shard : routing.assignedShards()) {
        own = state.nodes().getLocalNodeId().equals(shard.currentNodeId()) ? shard : own;
      }
    }
    return own;
  }

  private void recover(ShardRouting own, long term) {
    ShardId shard = own.shardId();
    String allocation = own.allocationId().getId();
    if (!own.primary()) {
      recoverFromPrimary(own, term);
      return;
    }
    if (own.recoverySource().getType() == RecoverySource.Type.EMPTY_STORE) {
      ShardCopy copy = new ShardCopy(shard, allocation, term);
      copy.replace(cluster.backups.restored(clusterService.state()), time.getCurrentTimeMillis());
      disk.copy = copy;
    }
    ShardCopy stored = disk.copy;
    if (stored == null || !stored.allocation.equals(allocation)) {
      fail(own, "has no such copy on its disk");
      return;
    }
    if (disk.full) {
      fail(own, Disk.NO_SPACE);
      return;
    }
    active = stored;
    started(own, term);
  }

  private void recoverFromPrimary(ShardRouting own, long term) {
    String allocation = own.allocationId().getId();
    ClusterState state = clusterService.state();
    IndexShardRoutingTable routing = routing(state);
    ShardRouting from = routing == null ? null : routing.primaryShard();
    ActionListener<ShardAnswer> recovered =
        ActionListener.wrap(
            answer -> {
              if (allocation.equals(recovering) && disk.full) {
                fail(own, Disk.NO_SPACE);
              } else if (allocation.equals(recovering)) {
                ShardCopy copy = new ShardCopy(own.shardId(), allocation, term);
                copy.replace(answer.documents, time.getCurrentTimeMillis());
                if (early != null && early.allocation.equals(allocation)) {
                  copy.take(early.all(), time.getCurrentTimeMillis());
                }
                early = null;
                disk.copy = copy;
                active = copy;
                started(own, term);
              }
            },
            failure ->
                time.after(
                    RETRY,
                    () -> {
                      if (allocation.equals(recovering) && active == null) {
                        recoverFromPrimary(own, term);
                      }
                    }));
    early = new ShardCopy(own.shardId(), allocation, term);
    if (from == null || !from.active() || state.nodes().get(from.currentNodeId()) == null) {
      recovered.onFailure(new ShardNotFoundException(own.shardId()));
      return;
    }
    ShardRequest request =
        ShardRequest.of(
            Kind.RECOVER,
            from.allocationId().getId(),
            term,
            List.of(new ShardDocument(allocation, null, 0, 0, 0)));
    replication.send(state.nodes().get(from.currentNodeId()), request, recovered);
  }

  /** What the primary replicates before its documents have arrived. */
  private @Nullable ShardCopy early;

  private void started(ShardRouting own, long term) {
    states.shardStarted(
        own, term, "simulated", ActionListener.wrap(done -> {}, failure -> retryStart(own, term)));
  }

  private void retryStart(ShardRouting own, long term) {
    time.after(
        RETRY,
        () -> {
          if (own.allocationId().getId().equals(recovering)) {
            started(own, term);
          }
        });
  }

  /** Ends a copy, because another one is the primary. */
  private void end(ShardCopy copy) {
    if (active == copy) {
      active = null;
      primary = false;
    }
  }

  private void fail(ShardRouting own, String why) {
    // The manager may allocate the same copy here once more.
    recovering = "";
    states.localShardFailed(
        own, why, new IllegalStateException(why), ActionListener.wrap(done -> {}, failure -> {}));
  }

  private void promote(ShardCopy copy, long term) {
    boolean resync = primary ? copy.term() < term : term > copy.term();
    copy.begin(term);
    if (!primary || resync) {
      primary = true;
      recipients.clear();
      if (resync) {
        cluster.trace(clusterService.getNodeName() + ": primary with term " + term);
        replication.replicate(
            Kind.RESYNC,
            copy,
            copy.all(),
            recipients,
            ActionListener.wrap(done -> {}, failure -> {}));
      }
    }
  }

  /** Sends a request to a node's copy. */
  void send(DiscoveryNode node, ShardRequest request, ActionListener<ShardAnswer> listener) {
    replication.send(node, request, listener);
  }

  private void answer(ShardRequest request, TransportChannel channel) {
    ActionListener<ShardAnswer> listener = new ChannelActionListener<>(channel, ACTION, request);
    try {
      carryOut(request, listener);
    } catch (RuntimeException e) {
      listener.onFailure(e);
    }
  }

  private void carryOut(ShardRequest request, ActionListener<ShardAnswer> listener) {
    long now = time.getCurrentTimeMillis();
    boolean replicates = request.kind == Kind.REPLICATE || request.kind == Kind.RESYNC;
    if (replicates && active == null && early != null) {
      if (early.allocation.equals(request.allocation)) {
        early.take(request.documents, now);
        listener.onResponse(ShardAnswer.found(List.of()));
        return;
      }
    }
    ShardCopy copy = active;
    if (copy == null || !copy.allocation.equals(request.allocation)) {
      throw new ShardNotFoundException(shardId(), "no such copy here");
    }
    if (disk.full && request.kind.isWrite()) {
      ShardRouting own = own(clusterService.state());
      if (own != null) {
        fail(own, Disk.NO_SPACE);
      }
      active = null;
      primary = false;
      throw new ShardNotFoundException(copy.shard, Disk.NO_SPACE);
    }
    switch (request.kind) {
      case INDEX, DELETE -> write(copy, request, listener);
      case REPLICATE, RESYNC -> {
        if (request.term < copy.term()) {
          throw new IllegalStateException("the primary's term is too old");
        }
        copy.begin(request.term);
        if (request.kind == Kind.RESYNC) {
          copy.resync(request.documents, now);
        } else {
          copy.take(request.documents, now);
        }
        replication.sync(copy, ActionListener.map(listener, done -> ShardAnswer.found(List.of())));
      }
      case GET -> {
        ShardDocument found = copy.get(request.documents.getFirst().id());
        listener.onResponse(ShardAnswer.found(found == null ? List.of() : List.of(found)));
      }
      case SEARCH -> listener.onResponse(ShardAnswer.found(copy.visible(now)));
      case REFRESH -> {
        copy.refresh(now);
        listener.onResponse(ShardAnswer.found(List.of()));
      }
      case RECOVER -> {
        String recipient = request.documents.getFirst().id();
        checkPrimary(copy, request.term);
        if (replication.others(clusterService.state()).stream()
            .noneMatch(shard -> shard.allocationId().getId().equals(recipient))) {
          throw new IllegalStateException("the primary does not know of it yet");
        }
        recipients.add(recipient);
        listener.onResponse(ShardAnswer.found(copy.all()));
      }
    }
  }

  private ShardId shardId() {
    IndexMetadata index = clusterService.state().metadata().index(ModelIndex.NAME);
    return new ShardId(ModelIndex.NAME, index == null ? "_na_" : index.getIndexUUID(), 0);
  }

  private void checkPrimary(ShardCopy copy, long term) {
    if (!primary || copy.term() != term) {
      throw new ShardNotFoundException(copy.shard, "not the primary of term " + term);
    }
  }

  private void write(ShardCopy copy, ShardRequest request, ActionListener<ShardAnswer> listener) {
    checkPrimary(copy, request.term);
    IndexShardRoutingTable routing = routing(clusterService.state());
    int there = routing == null ? 0 : routing.activeShards().size();
    if (there < request.copies) {
      throw new UnavailableShardsException(
          copy.shard, "not enough active copies: " + there + " of " + request.copies);
    }
    ShardDocument written = copy.write(request, time.getCurrentTimeMillis());
    replication.replicate(
        Kind.REPLICATE,
        copy,
        List.of(written),
        recipients,
        ActionListener.map(listener, done -> ShardAnswer.written(written, copy.shard)));
  }
}

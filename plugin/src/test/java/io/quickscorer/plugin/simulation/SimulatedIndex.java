// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.simulation.ShardRequest.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.NoShardAvailableActionException;
import org.opensearch.action.UnavailableShardsException;
import org.opensearch.action.support.TransportActions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateObserver;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.Preference;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.node.NodeClosedException;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.ConnectTransportException;

/**
 * Brings requests to the copies of the simulated shard, as the server's actions do: writes go to
 * the primary and are repeated where that fails, until their timeout; reads try one copy after the
 * other.
 */
final class SimulatedIndex {
  private static final Logger LOGGER = LogManager.getLogger(SimulatedIndex.class);

  private final ClusterService clusterService;
  private final ThreadPool threadPool;
  private final ShardHost host;
  private final Random random;

  SimulatedIndex(
      ClusterService clusterService, ThreadPool threadPool, ShardHost host, Random random) {
    this.clusterService = clusterService;
    this.threadPool = threadPool;
    this.host = host;
    this.random = random;
  }

  private static boolean isGone(Exception failure) {
    Throwable cause = ExceptionsHelper.unwrapCause(failure);
    return cause instanceof ConnectTransportException
        || cause instanceof NodeClosedException
        || TransportActions.isShardNotAvailableException(cause);
  }

  /** The index that a state has. */
  static IndexMetadata index(ClusterState state) {
    IndexMetadata index = state.metadata().index(ModelIndex.NAME);
    if (index == null) {
      throw new IndexNotFoundException(ModelIndex.NAME);
    }
    return index;
  }

  /**
   * Writes a document.
   *
   * @param target the index, which all items of a request share; holds null until it is known. As
   *     on a server, a request is not carried out in an index that was created or restored later
   *     under the same name.
   */
  void write(
      ShardRequest request,
      TimeValue timeout,
      AtomicReference<@Nullable Index> target,
      ActionListener<ShardAnswer> listener) {
    new Write(request, timeout, target, listener).attempt();
  }

  private final class Write {
    private final ShardRequest request;
    private final AtomicReference<@Nullable Index> target;
    private final ActionListener<ShardAnswer> listener;
    private final ClusterStateObserver observer;

    Write(
        ShardRequest request,
        TimeValue timeout,
        AtomicReference<@Nullable Index> target,
        ActionListener<ShardAnswer> listener) {
      this.request = request;
      this.target = target;
      this.listener = listener;
      observer =
          new ClusterStateObserver(clusterService, timeout, LOGGER, threadPool.getThreadContext());
    }

    void attempt() {
      ClusterState state = observer.setAndGetObservedState();
      ClusterBlockException blocked =
          state.blocks().indexBlockedException(ClusterBlockLevel.WRITE, ModelIndex.NAME);
      if (blocked != null) {
        if (blocked.retryable()) {
          retry(blocked);
        } else {
          listener.onFailure(blocked);
        }
        return;
      }
      Index index;
      try {
        index = index(state).getIndex();
      } catch (IndexNotFoundException e) {
        listener.onFailure(e);
        return;
      }
      target.compareAndSet(null, index);
      if (!index.equals(target.get())) {
        listener.onFailure(new IndexNotFoundException(Objects.requireNonNull(target.get())));
        return;
      }
      IndexShardRoutingTable routing = ShardHost.routing(state);
      ShardRouting primary = routing == null ? null : routing.primaryShard();
      DiscoveryNode node =
          primary == null || !primary.active() ? null : state.nodes().get(primary.currentNodeId());
      if (primary == null || node == null) {
        retry(new UnavailableShardsException(new ShardId(index, 0), "primary is not active"));
        return;
      }
      host.send(
          node,
          request.to(primary.allocationId().getId(), index(state).primaryTerm(0)),
          ActionListener.wrap(
              listener::onResponse,
              failure -> {
                if (isGone(failure)) {
                  retry(failure);
                } else {
                  listener.onFailure((Exception) ExceptionsHelper.unwrapCause(failure));
                }
              }));
    }

    private void retry(Exception failure) {
      if (observer.isTimedOut()) {
        listener.onFailure(failure);
        return;
      }
      observer.waitForNextChange(
          new ClusterStateObserver.Listener() {
            @Override
            public void onNewClusterState(ClusterState state) {
              attempt();
            }

            @Override
            public void onClusterServiceClose() {
              listener.onFailure(new NodeClosedException(clusterService.localNode()));
            }

            @Override
            public void onTimeout(TimeValue timeout) {
              attempt();
            }
          });
    }
  }

  /** Reads from a copy, the next one where that fails. */
  void read(
      Kind kind,
      @Nullable String id,
      @Nullable String preference,
      ActionListener<ShardAnswer> listener) {
    ClusterState state = clusterService.state();
    ShardId shard;
    try {
      state.blocks().indexBlockedRaiseException(ClusterBlockLevel.READ, ModelIndex.NAME);
      shard = new ShardId(index(state).getIndex(), 0);
    } catch (OpenSearchException e) {
      listener.onFailure(e);
      return;
    }
    List<ShardDocument> wanted =
        id == null ? List.of() : List.of(new ShardDocument(id, null, 0, 0, 0));
    next(kind, wanted, state, shard, copies(state, preference).iterator(), null, listener);
  }

  private List<ShardRouting> copies(ClusterState state, @Nullable String preference) {
    IndexShardRoutingTable routing = ShardHost.routing(state);
    List<ShardRouting> copies = new ArrayList<>();
    if (routing == null) {
      return copies;
    }
    copies.addAll(routing.activeShards());
    copies.sort(Comparator.comparing(ShardRouting::currentNodeId));
    Collections.shuffle(copies, random);
    if (Preference.PRIMARY.type().equals(preference)) {
      copies.removeIf(shard -> !shard.primary());
    } else if (Preference.LOCAL.type().equals(preference)) {
      String local = state.nodes().getLocalNodeId();
      copies.sort(
          (a, b) ->
              Boolean.compare(local.equals(b.currentNodeId()), local.equals(a.currentNodeId())));
    }
    return copies;
  }

  private void next(
      Kind kind,
      List<ShardDocument> wanted,
      ClusterState state,
      ShardId shard,
      Iterator<ShardRouting> copies,
      @Nullable Exception last,
      ActionListener<ShardAnswer> listener) {
    if (!copies.hasNext()) {
      listener.onFailure(new NoShardAvailableActionException(shard, "no copy answers", last));
      return;
    }
    ShardRouting copy = copies.next();
    DiscoveryNode node = state.nodes().get(copy.currentNodeId());
    if (node == null) {
      next(kind, wanted, state, shard, copies, last, listener);
      return;
    }
    host.send(
        node,
        ShardRequest.of(kind, copy.allocationId().getId(), 0, wanted),
        ActionListener.wrap(
            listener::onResponse,
            failure -> next(kind, wanted, state, shard, copies, failure, listener)));
  }

  /** Asks all copies; a copy that fails is left out. */
  void all(Kind kind, ActionListener<Void> listener) {
    ClusterState state = clusterService.state();
    index(state);
    Iterator<ShardRouting> copies = copies(state, null).iterator();
    eachOf(kind, state, copies, listener);
  }

  private void eachOf(
      Kind kind, ClusterState state, Iterator<ShardRouting> copies, ActionListener<Void> listener) {
    if (!copies.hasNext()) {
      listener.onResponse(null);
      return;
    }
    ShardRouting copy = copies.next();
    DiscoveryNode node = state.nodes().get(copy.currentNodeId());
    if (node == null) {
      eachOf(kind, state, copies, listener);
      return;
    }
    host.send(
        node,
        ShardRequest.of(kind, copy.allocationId().getId(), 0, List.of()),
        ActionListener.wrap(
            answer -> eachOf(kind, state, copies, listener),
            failure -> eachOf(kind, state, copies, listener)));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.wire.WireLevel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.ReceiveTimeoutTransportException;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/** Asks all data nodes to load or release a version of a model. */
record ModelNodes(ClusterService clusterService, TransportService transportService) {
  /**
   * Loads a version on all data nodes at the same time. The load does not fail if a node leaves or
   * does not answer in time, because that node loads the version with its next cluster state. The
   * load fails if a node cannot load the model, or if a node has an older build, which may lack a
   * function that the model needs.
   */
  public void load(
      ModelManifest manifest, TimeValue timeout, ActionListener<List<NodeModelState>> listener) {
    load(manifest, timeout, (answered, asked) -> {}, listener);
  }

  /** Receives the progress of a load. */
  @FunctionalInterface
  interface Progress {
    /**
     * Called when another node has answered, or none yet.
     *
     * @param answered the number of nodes that have answered
     * @param asked the number of nodes that received the request
     */
    void at(int answered, int asked);
  }

  /** Loads a version on all data nodes and reports how many nodes have answered. */
  void load(
      ModelManifest manifest,
      TimeValue timeout,
      Progress progress,
      ActionListener<List<NodeModelState>> listener) {
    Collection<DiscoveryNode> nodes = clusterService.state().nodes().getDataNodes().values();
    if (nodes.isEmpty()) {
      listener.onResponse(List.of());
      return;
    }
    try {
      WireLevel.of(clusterService.state().nodes()).requireCurrent("model [" + manifest.id() + "]");
    } catch (OpenSearchStatusException behind) {
      listener.onFailure(behind);
      return;
    }
    AtomicInteger answered = new AtomicInteger();
    progress.at(0, nodes.size());
    GroupedActionListener<NodeModelState> group =
        new GroupedActionListener<>(
            ActionListener.map(listener, ArrayList<NodeModelState>::new), nodes.size());
    ActionListener<NodeModelState> all =
        ActionListener.runBefore(
            group, () -> progress.at(answered.incrementAndGet(), nodes.size()));
    for (DiscoveryNode node : nodes) {
      send(
          node,
          new TransportLoadModelAction.Request(manifest, false),
          timeout,
          ActionListener.wrap(
              response -> all.onResponse(response.value()),
              failure -> {
                if (mayCatchUp(failure)) {
                  all.onResponse(
                      new NodeModelState(node, TransportLoadModelAction.unloaded(manifest.id())));
                } else {
                  all.onFailure(failure);
                }
              }));
    }
  }

  private static boolean mayCatchUp(Exception failure) {
    return ExceptionsHelper.unwrap(
            failure, ReceiveTimeoutTransportException.class, ConnectTransportException.class)
        != null;
  }

  /** Asks all data nodes to release a version that will not become current. */
  void release(ModelManifest manifest) {
    for (DiscoveryNode node : clusterService.state().nodes().getDataNodes().values()) {
      send(
          node,
          new TransportLoadModelAction.Request(manifest, true),
          TransportPutModelAction.DEFAULT_TIMEOUT,
          // A node that does not receive the request releases the version by itself, later.
          ActionListener.wrap(released -> {}, failure -> {}));
    }
  }

  private void send(
      DiscoveryNode node,
      TransportLoadModelAction.Request request,
      TimeValue timeout,
      ActionListener<ValueResponse<NodeModelState>> listener) {
    ThreadContext context = transportService.getThreadPool().getThreadContext();
    ActionListener<ValueResponse<NodeModelState>> preserving =
        new ContextPreservingActionListener<>(context.newRestorableContext(false), listener);
    try (ThreadContext.StoredContext ignored = context.stashContext()) {
      transportService.sendRequest(
          node,
          TransportLoadModelAction.NAME,
          new ValueRequest<>(request),
          TransportRequestOptions.builder().withTimeout(timeout).build(),
          new ActionListenerResponseHandler<>(
              Guard.listener(() -> "the response of a node", preserving),
              TransportLoadModelAction.ACTION.getResponseReader(),
              ThreadPool.Names.GENERIC));
    }
  }
}

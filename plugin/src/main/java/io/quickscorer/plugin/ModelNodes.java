// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.wire.WireLevel;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.ReceiveTimeoutTransportException;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;

/** Loads and releases versions of models on all data nodes, before they become current. */
record ModelNodes(
    ClusterService clusterService, TransportService transportService, ModelService models) {
  /**
   * The action that loads or releases a stored version of a model on the node that receives the
   * request, and returns the version's state on this node. Only nodes send this request.
   */
  public static final PluginAction<Request, NodeState> LOAD =
      PluginAction.remote("cluster:admin/quickscorer/model/load", Request.class, NodeState.class);

  /**
   * A request to a node to load or release a version of a model.
   *
   * @param release whether to release the version instead of loading it
   */
  public record Request(ModelManifest manifest, boolean release)
      implements WireRecord, ValueRequest.Tracked {
    @Override
    public Task task(ValueRequest.TaskFields fields) {
      String what = (release ? "releasing model [" : "loading model [") + manifest.id() + "]";
      return new LoadTask(fields, what);
    }
  }

  /** The state of a version of a model on one node. */
  public record NodeState(String nodeId, String nodeName, ModelState state) implements WireRecord {
    static NodeState of(DiscoveryNode node, ModelState state) {
      return new NodeState(node.getId(), node.getName(), state);
    }

    /** Returns a copy of this state that marks the version as the current one of its name. */
    NodeState asCurrent() {
      return new NodeState(nodeId, nodeName, state.asCurrent());
    }

    /** Writes the states of a version on several nodes: {@code "nodes": {id: {name, state…}}}. */
    static void toXContent(List<NodeState> nodes, XContentBuilder builder, ToXContent.Params params)
        throws IOException {
      builder.startObject("nodes");
      for (NodeState node : nodes) {
        builder.startObject(node.nodeId).field("name", node.nodeName);
        node.state.toXContent(builder, params);
        builder.endObject();
      }
      builder.endObject();
    }
  }

  /** A task whose description shows how far this node has loaded a model. */
  static final class LoadTask extends Task {
    private volatile @Nullable Supplier<String> progress;

    private LoadTask(ValueRequest.TaskFields fields, String what) {
      super(fields.id(), fields.type(), fields.action(), what, fields.parent(), fields.headers());
    }

    /**
     * Sets the function that returns the progress as a text for the task's description. The
     * function is called on any thread, each time the description is read.
     */
    void follow(Supplier<String> asked) {
      progress = asked;
    }

    @Override
    public String getDescription() {
      Supplier<String> asked = progress;
      return super.getDescription() + (asked == null ? "" : ": " + asked.get());
    }
  }

  /**
   * Loads a version on all data nodes at the same time. Fails if a node cannot load the model, or
   * has an older build, which may not support the model. Does not fail if a node leaves the cluster
   * or does not answer in time: such a node loads the version when it receives its next cluster
   * state.
   *
   * @param progress called before the first node has answered, and after each answer; receives the
   *     number of nodes that have answered, and the number of nodes that received the request
   */
  void load(
      ModelManifest manifest,
      TimeValue timeout,
      BiConsumer<Integer, Integer> progress,
      ActionListener<List<NodeState>> listener) {
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
    progress.accept(0, nodes.size());
    GroupedActionListener<NodeState> group =
        new GroupedActionListener<>(
            ActionListener.map(listener, ArrayList<NodeState>::new), nodes.size());
    ActionListener<NodeState> all =
        ActionListener.runBefore(
            group, () -> progress.accept(answered.incrementAndGet(), nodes.size()));
    for (DiscoveryNode node : nodes) {
      send(
          node,
          new Request(manifest, false),
          timeout,
          ActionListener.wrap(
              all::onResponse,
              failure -> {
                if (mayCatchUp(failure)) {
                  all.onResponse(NodeState.of(node, unloaded(manifest.id())));
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

  /** Sends a request to all data nodes to release a version that will not become current. */
  void release(ModelManifest manifest) {
    for (DiscoveryNode node : clusterService.state().nodes().getDataNodes().values()) {
      send(
          node,
          new Request(manifest, true),
          ModelUploads.DEFAULT_TIMEOUT,
          // A node that does not receive the request releases the version by itself, later.
          ActionListener.wrap(released -> {}, failure -> {}));
    }
  }

  private void send(
      DiscoveryNode node, Request request, TimeValue timeout, ActionListener<NodeState> listener) {
    ThreadContext context = transportService.getThreadPool().getThreadContext();
    ActionListener<NodeState> preserving =
        new ContextPreservingActionListener<>(context.newRestorableContext(false), listener);
    try (ThreadContext.StoredContext ignored = context.stashContext()) {
      LOAD.send(
          transportService,
          node,
          request,
          TransportRequestOptions.builder().withTimeout(timeout).build(),
          preserving);
    }
  }

  /** Loads or releases a version on this node for another node; no thread waits for the load. */
  public void receive(Task task, Request request, ActionListener<NodeState> listener) {
    ModelId id = request.manifest.id();
    if (request.release) {
      models.release(id);
      listener.onResponse(here(id));
    } else {
      ((LoadTask) task).follow(() -> progress(id));
      models.loadAhead(request.manifest, ActionListener.map(listener, loaded -> here(id)));
    }
  }

  private NodeState here(ModelId id) {
    return NodeState.of(clusterService.localNode(), state(id));
  }

  private String progress(ModelId id) {
    return String.format(Locale.ROOT, "%.0f %% compiled", 100 * state(id).compiledShare());
  }

  private ModelState state(ModelId id) {
    return models.states().stream()
        .filter(s -> s.id().equals(id))
        .findFirst()
        .orElseGet(() -> unloaded(id));
  }

  private static ModelState unloaded(ModelId id) {
    return new ModelState(id, Phase.LOADING, 0, false, "", 0, 0, List.of(), "");
  }
}

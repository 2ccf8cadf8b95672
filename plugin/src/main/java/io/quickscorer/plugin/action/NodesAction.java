// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * An action that several nodes run, each with its own response.
 *
 * @param <Q> the value that each node receives
 * @param <R> the value that each node returns
 */
public final class NodesAction<Q extends WireRecord, R extends WireRecord & ToXContentFragment>
    extends ActionType<NodesAction.Response<R>> {
  private final Class<Q> requests;
  private final Class<R> responses;

  public NodesAction(String name, Class<Q> requests, Class<R> responses) {
    super(name, in -> PluginAction.unread(name));
    this.requests = requests;
    this.responses = responses;
  }

  /**
   * A request to several nodes. The object itself is never sent to another node: each node receives
   * a message of its own.
   */
  public static final class Request<Q> extends BaseNodesRequest<Request<Q>> {
    private final Q value;

    /**
     * Creates a request.
     *
     * @param value the value that each node receives
     * @param nodes the names of the nodes, as in the server's node APIs; all nodes if it is empty
     */
    public Request(Q value, String... nodes) {
      super(nodes);
      this.value = value;
    }
  }

  /** The response of one node, which contains the value that the node returns. */
  public static final class NodeResponse<R extends WireRecord> extends BaseNodeResponse {
    private final R value;

    NodeResponse(DiscoveryNode node, R value) {
      super(node);
      this.value = value;
    }

    NodeResponse(StreamInput in, Class<R> type) throws IOException {
      super(in);
      Wire.head(in);
      value = WireRecord.read(in, type);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      value.writeTo(out);
    }

    public R value() {
      return value;
    }
  }

  /** The responses of all requested nodes. The object itself is never sent to another node. */
  public static final class Response<R extends WireRecord & ToXContentFragment>
      extends BaseNodesResponse<NodeResponse<R>> implements ToXContentFragment {
    private Response(
        ClusterName cluster, List<NodeResponse<R>> nodes, List<FailedNodeException> failures) {
      super(cluster, nodes, failures);
    }

    /**
     * Checks that all nodes have answered, and returns this response.
     *
     * @throws OpenSearchStatusException (503) if a node has not answered; the message names it
     */
    public Response<R> checkComplete() {
      if (hasFailures()) {
        FailedNodeException failed = failures().getFirst();
        throw new OpenSearchStatusException(
            "node [{}] did not answer, so its counts are missing; send the request again",
            RestStatus.SERVICE_UNAVAILABLE,
            failed,
            failed.nodeId());
      }
      return this;
    }

    /** Returns the values of all nodes, in any order. */
    public List<R> values() {
      return getNodes().stream().map(NodeResponse::value).toList();
    }

    @Override
    protected List<NodeResponse<R>> readNodesFrom(StreamInput in) {
      return PluginAction.unread("nodes");
    }

    @Override
    protected void writeNodesTo(StreamOutput out, List<NodeResponse<R>> nodes) {
      PluginAction.unread("nodes");
    }

    /** Writes the values of all nodes as JSON: {@code "nodes": {id: {"name": …, value…}}}. */
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      writeNodes(builder.startObject("nodes"));
      return builder.endObject();
    }

    /** Writes the values of all nodes as JSON fields: {@code id: {"name": …, value…}}. */
    public void writeNodes(XContentBuilder builder) throws IOException {
      for (NodeResponse<R> node : getNodes()) {
        builder.startObject(node.getNode().getId()).field("name", node.getNode().getName());
        node.value.toXContent(builder, EMPTY_PARAMS);
        builder.endObject();
      }
    }
  }

  /**
   * Returns the handler with which the server runs the action.
   *
   * @param operation returns the value of the node on which it runs
   */
  public TransportNodesAction<?, ?, ?, ?> handler(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transport,
      ActionFilters filters,
      Function<Q, R> operation) {
    return new Handler(threadPool, clusterService, transport, filters, operation);
  }

  private final class Handler
      extends TransportNodesAction<Request<Q>, Response<R>, ValueRequest<Q>, NodeResponse<R>> {
    private final Function<Q, R> operation;

    @SuppressWarnings({"unchecked", "rawtypes"}) // no class is of a parameterised type
    Handler(
        ThreadPool threadPool,
        ClusterService clusterService,
        TransportService transport,
        ActionFilters filters,
        Function<Q, R> operation) {
      super(
          name(),
          threadPool,
          clusterService,
          transport,
          filters,
          in -> PluginAction.unread("request"),
          in -> new ValueRequest<>(in, requests),
          ThreadPool.Names.MANAGEMENT,
          (Class) NodeResponse.class);
      this.operation = operation;
    }

    @Override
    protected Response<R> newResponse(
        Request<Q> request, List<NodeResponse<R>> nodes, List<FailedNodeException> failures) {
      return new Response<>(clusterService.getClusterName(), nodes, failures);
    }

    @Override
    protected ValueRequest<Q> newNodeRequest(Request<Q> request) {
      return new ValueRequest<>(request.value);
    }

    @Override
    protected NodeResponse<R> newNodeResponse(StreamInput in) throws IOException {
      return new NodeResponse<>(in, responses);
    }

    @Override
    protected NodeResponse<R> nodeOperation(ValueRequest<Q> request) {
      return Guard.call(
          () -> actionName,
          () -> new NodeResponse<>(clusterService.localNode(), operation.apply(request.value())));
    }
  }
}

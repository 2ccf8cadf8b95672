// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.Readiness;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
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
import org.opensearch.common.inject.Inject;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/**
 * Returns, for load balancers, whether each node can score with all models. The nodes answer
 * immediately and do not wait for models to be loaded.
 */
public final class TransportReadyAction
    extends TransportNodesAction<
        TransportReadyAction.Request,
        TransportReadyAction.Response,
        TransportRequest.Empty,
        TransportReadyAction.NodeReadiness> {
  public static final String NAME = "cluster:monitor/quickscorer/ready";
  public static final ActionType<Response> ACTION = new ActionType<>(NAME, Response::new);

  /**
   * A request to all nodes, or to the nodes with the given names, which are used as in the server's
   * node APIs.
   */
  public static final class Request extends BaseNodesRequest<Request> {
    public Request(String... nodes) {
      super(nodes);
    }

    public Request(StreamInput in) throws IOException {
      super(in);
    }
  }

  /** The readiness that one node returns. */
  public static final class NodeReadiness extends BaseNodeResponse {
    private final Readiness readiness;

    NodeReadiness(DiscoveryNode node, Readiness readiness) {
      super(node);
      this.readiness = readiness;
    }

    NodeReadiness(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      readiness = WireRecord.read(in, Readiness.class);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      readiness.writeTo(out);
    }
  }

  /** The responses of all nodes; status 200 if all are ready, otherwise 503. */
  public static final class Response extends BaseNodesResponse<NodeReadiness>
      implements StatusToXContentObject {
    public Response(
        ClusterName cluster, List<NodeReadiness> nodes, List<FailedNodeException> failures) {
      super(cluster, nodes, failures);
    }

    public Response(StreamInput in) throws IOException {
      super(in);
    }

    @Override
    protected List<NodeReadiness> readNodesFrom(StreamInput in) throws IOException {
      return in.readList(NodeReadiness::new);
    }

    @Override
    protected void writeNodesTo(StreamOutput out, List<NodeReadiness> nodes) throws IOException {
      out.writeList(nodes);
    }

    /**
     * Returns whether all nodes are ready. False if no node matches the request, because the node
     * may not have joined the cluster yet.
     */
    private boolean ready() {
      return failures().isEmpty()
          && !getNodes().isEmpty()
          && getNodes().stream().allMatch(node -> node.readiness.ready());
    }

    @Override
    public RestStatus status() {
      return ready() ? RestStatus.OK : RestStatus.SERVICE_UNAVAILABLE;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("ready", ready()).startObject("nodes");
      for (NodeReadiness node : getNodes()) {
        builder.startObject(node.getNode().getId()).field("name", node.getNode().getName());
        node.readiness.toXContent(builder, params);
        builder.endObject();
      }
      for (FailedNodeException failure : failures()) {
        builder.startObject(failure.nodeId()).field("ready", false);
        builder.field("waiting_for", "a response of the node: " + failure.getMessage());
        builder.endObject();
      }
      return builder.endObject().endObject();
    }
  }

  private final ModelService models;

  @Inject
  public TransportReadyAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters filters,
      ModelService models) {
    super(
        NAME,
        threadPool,
        clusterService,
        transportService,
        filters,
        Request::new,
        TransportRequest.Empty::new,
        ThreadPool.Names.MANAGEMENT,
        NodeReadiness.class);
    this.models = models;
  }

  @Override
  protected Response newResponse(
      Request request, List<NodeReadiness> nodes, List<FailedNodeException> failures) {
    return new Response(clusterService.getClusterName(), nodes, failures);
  }

  @Override
  protected TransportRequest.Empty newNodeRequest(Request request) {
    return new TransportRequest.Empty();
  }

  @Override
  protected NodeReadiness newNodeResponse(StreamInput in) throws IOException {
    return new NodeReadiness(in);
  }

  @Override
  protected NodeReadiness nodeOperation(TransportRequest.Empty request) {
    return Guard.call(
        () -> "readiness", () -> new NodeReadiness(clusterService.localNode(), models.readiness()));
  }
}

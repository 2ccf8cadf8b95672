// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.node.ModelService;
import java.io.IOException;
import java.util.List;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/** Asks nodes; on none of them it waits for anything. */
public final class TransportReadyAction
    extends TransportNodesAction<
        ReadyAction.Request,
        ReadyAction.Response,
        TransportReadyAction.NodeRequest,
        ReadyAction.NodeReadiness> {
  private final ModelService models;

  @Inject
  public TransportReadyAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters filters,
      ModelService models) {
    super(
        ReadyAction.NAME,
        threadPool,
        clusterService,
        transportService,
        filters,
        ReadyAction.Request::new,
        NodeRequest::new,
        ThreadPool.Names.MANAGEMENT,
        ReadyAction.NodeReadiness.class);
    this.models = models;
  }

  /** The question to one node. */
  public static final class NodeRequest extends TransportRequest {
    NodeRequest() {}

    NodeRequest(StreamInput in) throws IOException {
      super(in);
    }
  }

  @Override
  protected ReadyAction.Response newResponse(
      ReadyAction.Request request,
      List<ReadyAction.NodeReadiness> nodes,
      List<FailedNodeException> failures) {
    return new ReadyAction.Response(clusterService.getClusterName(), nodes, failures);
  }

  @Override
  protected NodeRequest newNodeRequest(ReadyAction.Request request) {
    return new NodeRequest();
  }

  @Override
  protected ReadyAction.NodeReadiness newNodeResponse(StreamInput in) throws IOException {
    return new ReadyAction.NodeReadiness(in);
  }

  @Override
  protected ReadyAction.NodeReadiness nodeOperation(NodeRequest request) {
    return Guard.call(
        () -> "readiness",
        () -> new ReadyAction.NodeReadiness(clusterService.localNode(), models.readiness()));
  }
}

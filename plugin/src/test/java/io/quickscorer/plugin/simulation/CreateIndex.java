// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.io.IOException;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.Version;
import org.opensearch.action.admin.indices.create.CreateIndexAction;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.admin.indices.create.CreateIndexResponse;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.ActiveShardsObserver;
import org.opensearch.action.support.clustermanager.TransportClusterManagerNodeAction;
import org.opensearch.cluster.AckedClusterStateUpdateTask;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ack.ClusterStateUpdateResponse;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.cluster.routing.allocation.AllocationService;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.UUIDs;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Creates the simulated index, as the server creates one, on the elected cluster manager. */
final class CreateIndex
    extends TransportClusterManagerNodeAction<CreateIndexRequest, CreateIndexResponse> {
  private final AllocationService allocation;

  CreateIndex(
      TransportService transport,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      AllocationService allocation) {
    super(
        CreateIndexAction.NAME,
        transport,
        clusterService,
        threadPool,
        filters,
        CreateIndexRequest::new,
        resolver);
    this.allocation = allocation;
  }

  @Override
  protected String executor() {
    return ThreadPool.Names.SAME;
  }

  @Override
  protected CreateIndexResponse read(StreamInput in) throws IOException {
    return CreateIndexAction.INSTANCE.getResponseReader().read(in);
  }

  @Override
  protected ClusterBlockException checkBlock(CreateIndexRequest request, ClusterState state) {
    return state.blocks().globalBlockedException(ClusterBlockLevel.METADATA_WRITE);
  }

  @Override
  protected void clusterManagerOperation(
      CreateIndexRequest request,
      ClusterState state,
      ActionListener<CreateIndexResponse> listener) {
    ActionListener<ClusterStateUpdateResponse> created =
        ActionListener.wrap(
            response -> {
              if (response.isAcknowledged()) {
                awaitShards(request, listener);
              } else {
                listener.onResponse(new CreateIndexResponse(false, false, request.index()));
              }
            },
            listener::onFailure);
    clusterService.submitStateUpdateTask(
        "create index",
        new AckedClusterStateUpdateTask<>(Priority.URGENT, request, created) {
          @Override
          protected ClusterStateUpdateResponse newResponse(boolean acknowledged) {
            return new ClusterStateUpdateResponse(acknowledged);
          }

          @Override
          public ClusterState execute(ClusterState current) throws IOException {
            return create(current, request);
          }
        });
  }

  private void awaitShards(
      CreateIndexRequest request, ActionListener<CreateIndexResponse> listener) {
    new ActiveShardsObserver(clusterService, threadPool)
        .waitForActiveShards(
            new String[] {request.index()},
            request.waitForActiveShards(),
            request.timeout(),
            active -> listener.onResponse(new CreateIndexResponse(true, active, request.index())),
            listener::onFailure);
  }

  private ClusterState create(ClusterState state, CreateIndexRequest request) throws IOException {
    if (state.metadata().hasIndex(request.index())) {
      throw new ResourceAlreadyExistsException(state.metadata().index(request.index()).getIndex());
    }
    IndexMetadata index =
        IndexMetadata.builder(request.index())
            .settings(
                Settings.builder()
                    .put(request.settings())
                    .put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, 0)
                    .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
                    .put(IndexMetadata.SETTING_INDEX_UUID, UUIDs.randomBase64UUID())
                    .put("index.unassigned.node_left.delayed_timeout", "0ms"))
            .putMapping(request.mappings())
            .build();
    ClusterState with =
        ClusterState.builder(state)
            .metadata(Metadata.builder(state.metadata()).put(index, false))
            .routingTable(RoutingTable.builder(state.routingTable()).addAsNew(index).build())
            .build();
    return allocation.reroute(with, "index created");
  }
}

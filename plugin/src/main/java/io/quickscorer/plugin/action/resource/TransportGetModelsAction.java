// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.stats.TransportStatsAction;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.action.StepListener;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Returns one model or a page of models, without their files, from the cluster state and the index
 * of models. One model is returned with its state on each data node.
 */
public final class TransportGetModelsAction
    extends LocalTransportAction<ListRequest, ListRequest.Page<TransportGetModelsAction.Model>> {
  public static final LocalAction<ListRequest, ListRequest.Page<Model>> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/model/get");

  /**
   * A model in the response.
   *
   * @param metadata the properties that the upload stored; empty if they cannot be read
   * @param nodes the model's state on each data node; empty in a page of models
   */
  public record Model(
      ModelManifest manifest, Map<String, Object> metadata, List<NodeModelState> nodes)
      implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      builder.field("name", manifest.id().name());
      builder.field("version", manifest.id().version());
      builder.field("created", Instant.ofEpochMilli(manifest.created()).toString());
      builder.field("sha256", manifest.sha256());
      builder.field("bytes", manifest.bytes());
      for (Map.Entry<String, Object> entry : metadata.entrySet()) {
        builder.field(entry.getKey(), entry.getValue());
      }
      if (!nodes.isEmpty()) {
        NodeModelState.toXContent(nodes, builder, params);
      }
      return builder.endObject();
    }
  }

  private final ClusterService clusterService;
  private final ModelStore store;
  private final GuardedClient client;

  @Inject
  public TransportGetModelsAction(
      TransportService transportService,
      ActionFilters filters,
      ClusterService clusterService,
      ModelStore store,
      NodeClient client) {
    super(ACTION, transportService, filters);
    this.clusterService = clusterService;
    this.store = store;
    this.client = GuardedClient.ofPlugin(client);
  }

  @Override
  protected void carryOut(
      Task task, ListRequest request, ActionListener<ListRequest.Page<Model>> listener) {
    ModelsMetadata models = ModelsMetadata.of(clusterService.state());
    if (!request.single()) {
      ListRequest.Page<ModelManifest> page =
          request.page(models.models().values(), manifest -> manifest.id().name());
      store.metadata(
          page.items(),
          ActionListener.map(
              listener, metadata -> page(page.items(), page.total(), metadata, List.of())));
      return;
    }
    ModelManifest manifest = models.resolve(request.names());
    if (manifest == null) {
      throw ModelService.missing(request.names());
    }
    StepListener<Map<String, Map<String, Object>>> read = new StepListener<>();
    store.metadata(List.of(manifest), read);
    Guard.then(
        read,
        metadata ->
            client.execute(
                TransportStatsAction.ACTION,
                new TransportStatsAction.Request("data:true"),
                ActionListener.map(
                    listener,
                    stats -> page(List.of(manifest), 1, metadata, states(manifest.id(), stats)))),
        listener::onFailure);
  }

  private static List<NodeModelState> states(ModelId id, TransportStatsAction.Response stats) {
    List<NodeModelState> states = new ArrayList<>();
    for (TransportStatsAction.NodeStats node : stats.getNodes()) {
      node.values().models().stream()
          .filter(state -> state.id().equals(id))
          .forEach(state -> states.add(new NodeModelState(node.getNode(), state)));
    }
    return states;
  }

  private static ListRequest.Page<Model> page(
      List<ModelManifest> manifests,
      int total,
      Map<String, Map<String, Object>> metadata,
      List<NodeModelState> nodes) {
    return new ListRequest.Page<>(
        total,
        manifests.stream()
            .map(
                manifest ->
                    new Model(
                        manifest, metadata.getOrDefault(manifest.id().name(), Map.of()), nodes))
            .toList());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.node.ModelService;
import java.util.List;
import java.util.Locale;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Loads a version on this node and answers when that is done; no thread waits for it. */
public final class TransportLoadModelAction
    extends HandledTransportAction<
        ValueRequest<LoadModelAction.Request>, ValueResponse<NodeModelState>> {
  private final ModelService models;
  private final ClusterService clusterService;

  @Inject
  public TransportLoadModelAction(
      TransportService transportService,
      ActionFilters filters,
      ModelService models,
      ClusterService clusterService) {
    super(
        LoadModelAction.NAME,
        transportService,
        filters,
        in -> new ValueRequest<>(in, LoadModelAction.Request.class));
    this.models = models;
    this.clusterService = clusterService;
  }

  @Override
  protected void doExecute(
      Task task,
      ValueRequest<LoadModelAction.Request> request,
      ActionListener<ValueResponse<NodeModelState>> listener) {
    ModelManifest manifest = request.value().manifest();
    ModelId id = manifest.id();
    if (request.value().release()) {
      models.release(id);
      listener.onResponse(response(id));
    } else {
      ((LoadModelAction.LoadTask) task).follow(() -> progress(id));
      models.loadAhead(manifest, ActionListener.map(listener, loaded -> response(id)));
    }
  }

  private ValueResponse<NodeModelState> response(ModelId id) {
    return new ValueResponse<>(new NodeModelState(clusterService.localNode(), state(id)));
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

  static ModelState unloaded(ModelId id) {
    return new ModelState(id, Phase.LOADING, 0, false, "", 0, 0, List.of(), "");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelStore;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/**
 * Reads it chunk by chunk and checks it; charged to the breaker of models until it is given away.
 */
public final class TransportModelFileAction
    extends HandledTransportAction<NamedRequest, ModelFileAction.Response> {
  private final ClusterService clusterService;
  private final ModelStore store;
  private final ModelBreaker breaker;

  @Inject
  public TransportModelFileAction(
      TransportService transportService,
      ActionFilters filters,
      ClusterService clusterService,
      ModelStore store,
      ModelBreaker breaker) {
    super(ModelFileAction.NAME, transportService, filters, NamedRequest::new);
    this.clusterService = clusterService;
    this.store = store;
    this.breaker = breaker;
  }

  @Override
  protected void doExecute(
      Task task, NamedRequest request, ActionListener<ModelFileAction.Response> listener) {
    ModelManifest manifest = ModelsMetadata.of(clusterService.state()).resolve(request.name());
    if (manifest == null) {
      throw ModelService.missing(request.name());
    }
    // What is read grows by doubling.
    MemoryCharge memory =
        breaker.reserve(3 * manifest.storedBytes(), "<file of model " + manifest.id() + ">");
    store.read(
        manifest,
        ActionListener.runAfter(
            ActionListener.map(
                listener,
                file -> new ModelFileAction.Response(manifest.id(), new BytesArray(file))),
            memory::close));
  }
}

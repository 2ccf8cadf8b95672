// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelsMetadata;
import java.util.Map;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Reads aliases from the cluster state. */
public final class TransportGetAliasesAction
    extends LocalTransportAction<ListRequest, ListRequest.Page<ModelAlias>> {
  public static final LocalAction<ListRequest, ListRequest.Page<ModelAlias>> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/alias/get");

  private final ClusterService clusterService;

  @Inject
  public TransportGetAliasesAction(
      TransportService transportService, ActionFilters filters, ClusterService clusterService) {
    super(ACTION, transportService, filters);
    this.clusterService = clusterService;
  }

  @Override
  protected void carryOut(
      Task task, ListRequest request, ActionListener<ListRequest.Page<ModelAlias>> listener) {
    Map<String, ModelAlias> aliases = ModelsMetadata.of(clusterService.state()).aliases();
    if (!request.single()) {
      listener.onResponse(request.page(aliases.values(), ModelAlias::name));
      return;
    }
    ModelAlias alias = aliases.get(request.names());
    if (alias == null) {
      throw TransportActivateAliasAction.missing(request.names());
    }
    listener.onResponse(new ListRequest.Page<>(alias));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.alias;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelsMetadata;
import java.util.Map;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Reads aliases from the cluster state. */
public final class TransportGetAliasesAction
    extends HandledTransportAction<ListRequest, GetAliasesAction.Response> {
  private final ClusterService clusterService;

  @Inject
  public TransportGetAliasesAction(
      TransportService transportService, ActionFilters filters, ClusterService clusterService) {
    super(GetAliasesAction.NAME, transportService, filters, ListRequest::new);
    this.clusterService = clusterService;
  }

  @Override
  protected void doExecute(
      Task task, ListRequest request, ActionListener<GetAliasesAction.Response> listener) {
    Map<String, ModelAlias> aliases = ModelsMetadata.of(clusterService.state()).aliases();
    if (!request.single()) {
      ListRequest.Page<ModelAlias> page = request.page(aliases.values(), ModelAlias::name);
      listener.onResponse(new GetAliasesAction.Response(page.items(), page.total()));
      return;
    }
    ModelAlias alias = aliases.get(request.name());
    if (alias == null) {
      throw TransportActivateAliasAction.missing(request.name());
    }
    listener.onResponse(new GetAliasesAction.Response(alias));
  }
}

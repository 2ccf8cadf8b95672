// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.alias;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelsMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    extends HandledTransportAction<NamedRequest, GetAliasesAction.Response> {
  private final ClusterService clusterService;

  @Inject
  public TransportGetAliasesAction(
      TransportService transportService, ActionFilters filters, ClusterService clusterService) {
    super(GetAliasesAction.NAME, transportService, filters, NamedRequest::new);
    this.clusterService = clusterService;
  }

  @Override
  protected void doExecute(
      Task task, NamedRequest request, ActionListener<GetAliasesAction.Response> listener) {
    Map<String, ModelAlias> aliases = ModelsMetadata.of(clusterService.state()).aliases();
    if (request.all()) {
      List<ModelAlias> all = new ArrayList<>(aliases.values());
      all.sort(Comparator.comparing(ModelAlias::name));
      listener.onResponse(new GetAliasesAction.Response(all));
      return;
    }
    ModelAlias alias = aliases.get(request.name());
    if (alias == null) {
      throw TransportActivateAliasAction.missing(request.name());
    }
    listener.onResponse(new GetAliasesAction.Response(List.of(alias)));
  }
}

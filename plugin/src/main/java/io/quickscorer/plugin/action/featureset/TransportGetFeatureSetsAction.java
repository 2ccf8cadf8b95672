// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import java.util.List;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Reads feature sets. */
public final class TransportGetFeatureSetsAction
    extends HandledTransportAction<NamedRequest, GetFeatureSetsAction.Response> {
  private final FeatureSetStore store;

  @Inject
  public TransportGetFeatureSetsAction(
      TransportService transportService, ActionFilters filters, FeatureSetStore store) {
    super(GetFeatureSetsAction.NAME, transportService, filters, NamedRequest::new);
    this.store = store;
  }

  @Override
  protected void doExecute(
      Task task, NamedRequest request, ActionListener<GetFeatureSetsAction.Response> listener) {
    if (request.all()) {
      store.list(ActionListener.map(listener, GetFeatureSetsAction.Response::new));
      return;
    }
    store.get(
        ResourceNames.check("feature set", request.name()),
        ActionListener.map(listener, set -> new GetFeatureSetsAction.Response(List.of(set))));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Reads feature sets. */
public final class TransportGetFeatureSetsAction
    extends HandledTransportAction<ListRequest, GetFeatureSetsAction.Response> {
  private final FeatureSetStore store;

  @Inject
  public TransportGetFeatureSetsAction(
      TransportService transportService, ActionFilters filters, FeatureSetStore store) {
    super(GetFeatureSetsAction.NAME, transportService, filters, ListRequest::new);
    this.store = store;
  }

  @Override
  protected void doExecute(
      Task task, ListRequest request, ActionListener<GetFeatureSetsAction.Response> listener) {
    if (!request.single()) {
      store.list(
          ActionListener.map(
              listener,
              sets -> {
                ListRequest.Page<FeatureSet> page = request.page(sets, FeatureSet::name);
                return new GetFeatureSetsAction.Response(page.items(), page.total());
              }));
      return;
    }
    store.get(
        ResourceNames.check("feature set", request.name()),
        ActionListener.map(listener, GetFeatureSetsAction.Response::new));
  }
}

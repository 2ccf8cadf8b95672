// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Reads feature sets. */
public final class TransportGetFeatureSetsAction
    extends LocalTransportAction<ListRequest, ListRequest.Page<FeatureSetStore.Listed>> {
  public static final LocalAction<ListRequest, ListRequest.Page<FeatureSetStore.Listed>> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/feature_set/get");

  private final FeatureSetStore store;

  @Inject
  public TransportGetFeatureSetsAction(
      TransportService transportService, ActionFilters filters, FeatureSetStore store) {
    super(ACTION, transportService, filters);
    this.store = store;
  }

  @Override
  protected void carryOut(
      Task task,
      ListRequest request,
      ActionListener<ListRequest.Page<FeatureSetStore.Listed>> listener) {
    if (request.single()) {
      store.get(
          ResourceNames.check("feature set", request.names()),
          ActionListener.map(
              listener,
              set -> new ListRequest.Page<>(new FeatureSetStore.Listed(set.name(), set))));
    } else {
      store.list(
          ActionListener.map(listener, sets -> request.page(sets, FeatureSetStore.Listed::name)));
    }
  }
}

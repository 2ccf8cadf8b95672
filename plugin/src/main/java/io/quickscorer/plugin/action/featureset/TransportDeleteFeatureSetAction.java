// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Deletes a feature set. */
public final class TransportDeleteFeatureSetAction
    extends HandledTransportAction<NamedRequest, AcknowledgedResponse> {
  private final FeatureSetStore store;

  @Inject
  public TransportDeleteFeatureSetAction(
      TransportService transportService, ActionFilters filters, FeatureSetStore store) {
    super(DeleteFeatureSetAction.NAME, transportService, filters, NamedRequest::new);
    this.store = store;
  }

  @Override
  protected void doExecute(
      Task task, NamedRequest request, ActionListener<AcknowledgedResponse> listener) {
    store.delete(
        ResourceNames.check("feature set", request.name()),
        ActionListener.map(listener, deleted -> new AcknowledgedResponse(true)));
  }
}

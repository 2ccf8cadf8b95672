// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Deletes a feature set. Models that were uploaded with it have their own copies of it. */
public final class TransportDeleteFeatureSetAction
    extends LocalTransportAction<String, AcknowledgedResponse> {
  public static final LocalAction<String, AcknowledgedResponse> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/feature_set/delete");

  private final FeatureSetStore store;

  @Inject
  public TransportDeleteFeatureSetAction(
      TransportService transportService, ActionFilters filters, FeatureSetStore store) {
    super(ACTION, transportService, filters);
    this.store = store;
  }

  @Override
  protected void carryOut(Task task, String name, ActionListener<AcknowledgedResponse> listener) {
    store.delete(
        ResourceNames.check("feature set", name),
        ActionListener.map(listener, deleted -> new AcknowledgedResponse(true)));
  }
}

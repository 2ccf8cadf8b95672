// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.comparison;

import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.stats.RescoreStats;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/** Counts clicks on the node that is told of them, all of a request or none. */
public final class TransportReportClicksAction
    extends LocalTransportAction<ReportClicksAction.Request, AcknowledgedResponse> {
  private final ModelService models;
  private final RescoreStats stats;

  @Inject
  public TransportReportClicksAction(
      TransportService transportService,
      ActionFilters filters,
      ModelService models,
      RescoreStats stats) {
    super(ReportClicksAction.INSTANCE, transportService, filters);
    this.models = models;
    this.stats = stats;
  }

  @Override
  protected void carryOut(
      Task task,
      ReportClicksAction.Request request,
      ActionListener<AcknowledgedResponse> listener) {
    for (ReportClicksAction.Search search : request.searches()) {
      models.pin(search.teams().first());
      models.pin(search.teams().second());
    }
    for (ReportClicksAction.Search search : request.searches()) {
      stats.comparisons().clicked(search.teams(), search.first(), search.second());
    }
    listener.onResponse(new AcknowledgedResponse(true));
  }
}

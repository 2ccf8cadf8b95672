// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.export;

import io.quickscorer.plugin.export.LiveValidation;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.rescore.answer.LoggedHits;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.ParentTaskAssigningClient;
import org.opensearch.transport.client.node.NodeClient;

/** Searches in the caller's thread context, so with the caller's rights; its tasks are children. */
public final class TransportValidateAction
    extends HandledTransportAction<ValidateAction.Request, LiveValidation.Report> {
  private final NodeClient client;
  private final ClusterService clusterService;
  private final LoggedHits logging;
  private final NamedXContentRegistry registry;

  @Inject
  public TransportValidateAction(
      TransportService transportService,
      ActionFilters filters,
      NodeClient client,
      ClusterService clusterService,
      LoggedHits logging,
      NamedXContentRegistry registry) {
    super(ValidateAction.NAME, transportService, filters, ValidateAction.Request::new);
    this.client = client;
    this.clusterService = clusterService;
    this.logging = logging;
    this.registry = registry;
  }

  @Override
  protected void doExecute(
      Task task, ValidateAction.Request request, ActionListener<LiveValidation.Report> listener) {
    LiveValidation.start(
        request.featureSet(),
        request.type(),
        request.body(),
        logging,
        registry,
        new GuardedClient(new ParentTaskAssigningClient(client, clusterService.localNode(), task)),
        listener);
  }
}

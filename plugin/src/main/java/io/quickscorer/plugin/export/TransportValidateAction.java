// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.rescore.LoggedHits;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.ParentTaskAssigningClient;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Tests a feature set on an index. Its searches run with the caller's permissions, as child tasks
 * of this one.
 */
public final class TransportValidateAction
    extends LocalTransportAction<TransportValidateAction.Request, LiveValidation.Report> {
  public static final LocalAction<Request, LiveValidation.Report> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/feature_set/validate");

  /** A request to test a set, with the body as the user sent it. */
  public record Request(String featureSet, @Nullable MediaType type, BytesReference body)
      implements SearchingRequest {}

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
    super(ACTION, transportService, filters);
    this.client = client;
    this.clusterService = clusterService;
    this.logging = logging;
    this.registry = registry;
  }

  @Override
  protected void carryOut(
      Task task, Request request, ActionListener<LiveValidation.Report> listener) {
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

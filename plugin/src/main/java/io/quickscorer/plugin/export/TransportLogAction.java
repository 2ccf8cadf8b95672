// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.LoggedHits;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.ParentTaskAssigningClient;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Returns a piece of a training file. Its searches run with the caller's permissions, as child
 * tasks of this one.
 */
public final class TransportLogAction
    extends LocalTransportAction<TransportLogAction.Request, LogExport.Piece> {
  public static final LocalAction<Request, LogExport.Piece> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/feature_set/log");

  /**
   * A request for a piece of a training file, with the body as the user sent it.
   *
   * @param from the start of the piece
   * @param maxBytes the piece ends after the search with which it is larger than this, in bytes
   */
  public record Request(
      String featureSet,
      @Nullable MediaType type,
      BytesReference body,
      LogExport.Place from,
      long maxBytes)
      implements SearchingRequest {}

  private final NodeClient client;
  private final ClusterService clusterService;
  private final LoggedHits logging;
  private final NamedXContentRegistry registry;

  @Inject
  public TransportLogAction(
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
  protected void carryOut(Task task, Request request, ActionListener<LogExport.Piece> listener) {
    RequestBudget budget = logging.budget();
    // Continues on another thread, because parsing a body of megabytes takes long.
    Guard.executor(client.threadPool(), ThreadPool.Names.GENERIC)
        .execute(
            ActionRunnable.wrap(
                ActionListener.runBefore(listener, budget::close),
                answer ->
                    LogExport.start(
                        LogRequest.parse(request.type(), request.body(), budget.memory()),
                        request.featureSet(),
                        logging,
                        registry,
                        new GuardedClient(
                            new ParentTaskAssigningClient(
                                client, clusterService.localNode(), task)),
                        request.from(),
                        request.maxBytes(),
                        answer)));
  }
}

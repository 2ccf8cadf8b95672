// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.NoShardAvailableActionException;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.indices.IndexClosedException;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.OriginSettingClient;

/**
 * A client for the plugin's own index, with the plugin's permissions and not the user's. Listeners
 * are called in the caller's thread context. If the index cannot be used, each request fails with
 * 503 and a message with the reason.
 */
public final class ModelIndexClient extends GuardedClient {
  private final ClusterService clusterService;

  /**
   * The index's metadata when it last passed the check that it can be used. Cached, because the
   * check parses the index's mapping, which is slow.
   */
  private volatile @Nullable IndexMetadata usable;

  public ModelIndexClient(Client client, ClusterService clusterService) {
    super(new OriginSettingClient(client, ORIGIN));
    this.clusterService = clusterService;
  }

  @Override
  protected <Q extends ActionRequest, R extends ActionResponse> void doExecute(
      ActionType<R> action, Q request, ActionListener<R> listener) {
    try {
      ClusterState state = clusterService.state();
      IndexMetadata index = state.metadata().index(ModelIndex.NAME);
      if (index == null || !index.equals(usable)) {
        ModelIndex.checkUsable(state);
        usable = index;
      }
      if (request instanceof IndexRequest && index == null) {
        // Otherwise the server would create the index, with a wrong mapping.
        throw new OpenSearchStatusException(
            "the index of models [{}] was deleted during the request",
            RestStatus.SERVICE_UNAVAILABLE,
            ModelIndex.NAME);
      }
    } catch (RuntimeException unusable) {
      listener.onFailure(unusable);
      return;
    }
    super.doExecute(
        action, request, Guard.recovering(listener, (l, failure) -> l.onFailure(clear(failure))));
  }

  /**
   * Returns an exception (503) with a clear message if the server's failure reports a blocked or
   * closed index, or a shard that cannot be read. Returns other failures unchanged.
   */
  static Exception clear(Exception failure) {
    Throwable unusable =
        ExceptionsHelper.unwrap(
            failure,
            ClusterBlockException.class,
            IndexClosedException.class,
            ShardNotFoundException.class,
            NoShardAvailableActionException.class);
    return unusable == null
            || (unusable instanceof ClusterBlockException
                && ExceptionsHelper.status(unusable) == RestStatus.SERVICE_UNAVAILABLE)
        ? failure
        : new OpenSearchStatusException(
            "the index of models [{}] cannot be used: {}",
            RestStatus.SERVICE_UNAVAILABLE,
            failure,
            ModelIndex.NAME,
            unusable instanceof ClusterBlockException || unusable instanceof IndexClosedException
                ? unusable.getMessage()
                : "its shard is not available");
  }
}

package io.quickscorer.plugin.model;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateObserver;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.gateway.GatewayService;
import org.opensearch.node.NodeClosedException;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/** The hidden system index in which models and feature sets are stored. */
public final class ModelIndex {
  /** The index's name. */
  public static final String NAME = ".quickscorer-models";

  private static final Logger LOGGER = LogManager.getLogger(ModelIndex.class);

  /** How long to wait for the index after a start. */
  private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

  private static final String MAPPING =
      """
      {
        "_meta": {"schema_version": 1},
        "dynamic": "strict",
        "properties": {
          "kind": {"type": "keyword"},
          "name": {"type": "keyword"},
          "upload": {"type": "keyword"},
          "created": {"type": "date", "format": "epoch_millis"},
          "data": {"type": "binary"},
          "metadata": {"type": "object", "enabled": false},
          "feature_set": {"type": "object", "enabled": false}
        }
      }
      """;

  private final Client client;
  private final ClusterService clusterService;

  ModelIndex(Client client, ClusterService clusterService) {
    this.client = client;
    this.clusterService = clusterService;
  }

  boolean exists() {
    return clusterService.state().metadata().hasIndex(NAME);
  }

  /** What tells this index from an earlier one of its name; empty if there is none. */
  String id() {
    IndexMetadata metadata = clusterService.state().metadata().index(NAME);
    return metadata == null ? "" : metadata.getIndexUUID();
  }

  /** Copies that must be there before a write counts: two, where the cluster has the nodes. */
  ActiveShardCount requiredCopies() {
    ClusterState state = clusterService.state();
    return ActiveShardCount.from(Math.min(2, Math.max(1, state.nodes().getDataNodes().size())));
  }

  /**
   * Waits, for a while, until the index can be read or is known not to be there: a node that has
   * just started answers before its shards are back. Fails with 503 if that takes too long.
   */
  void whenReady(ActionListener<Void> listener) {
    ThreadPool threadPool = client.threadPool();
    ClusterStateObserver observer =
        new ClusterStateObserver(clusterService, PATIENCE, LOGGER, threadPool.getThreadContext());
    if (isReady(observer.setAndGetObservedState())) {
      listener.onResponse(null);
      return;
    }
    observer.waitForNextChange(
        new ClusterStateObserver.Listener() {
          @Override
          public void onNewClusterState(ClusterState state) {
            // The thread that applies cluster states must not be kept.
            threadPool.generic().execute(ActionRunnable.wrap(listener, l -> l.onResponse(null)));
          }

          @Override
          public void onClusterServiceClose() {
            listener.onFailure(new NodeClosedException(clusterService.localNode()));
          }

          @Override
          public void onTimeout(TimeValue timeout) {
            listener.onFailure(
                new OpenSearchStatusException(
                    "the index of models is not available after {}",
                    RestStatus.SERVICE_UNAVAILABLE,
                    timeout));
          }
        },
        ModelIndex::isReady);
  }

  private static boolean isReady(ClusterState state) {
    if (state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)) {
      return false;
    }
    IndexRoutingTable routing = state.routingTable().index(NAME);
    return routing == null || routing.allPrimaryShardsActive();
  }

  /** Creates the index unless it is there. */
  void ensure(ActionListener<Void> listener) {
    whenReady(ActionListener.wrap(ready -> create(listener), listener::onFailure));
  }

  private void create(ActionListener<Void> listener) {
    if (exists()) {
      listener.onResponse(null);
      return;
    }
    CreateIndexRequest request =
        new CreateIndexRequest(NAME)
            .settings(
                Settings.builder()
                    .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 1)
                    .put(IndexMetadata.SETTING_AUTO_EXPAND_REPLICAS, "0-2")
                    .put(IndexMetadata.SETTING_INDEX_HIDDEN, true))
            .mapping(MAPPING, XContentType.JSON)
            .waitForActiveShards(ActiveShardCount.ONE);
    client
        .admin()
        .indices()
        .create(
            request,
            ActionListener.wrap(
                created -> listener.onResponse(null),
                failure -> {
                  if (failure instanceof ResourceAlreadyExistsException) {
                    listener.onResponse(null);
                  } else {
                    listener.onFailure(failure);
                  }
                }));
  }
}

package io.quickscorer.plugin.model;

import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.transport.client.Client;

/** The hidden system index in which models and feature sets are stored. */
public final class ModelIndex {
  /** The index's name. */
  public static final String NAME = ".quickscorer-models";

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

  /** Copies that must be there before a write counts: two, where the cluster has the nodes. */
  ActiveShardCount requiredCopies() {
    ClusterState state = clusterService.state();
    return ActiveShardCount.from(Math.min(2, Math.max(1, state.nodes().getDataNodes().size())));
  }

  /** Creates the index unless it is there. */
  void ensure(ActionListener<Void> listener) {
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.StateWait;
import java.io.IOException;
import java.util.Map;
import java.util.function.Predicate;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MappingMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.Preference;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.gateway.GatewayService;

/** The hidden system index in which models and feature sets are stored. */
public final class ModelIndex {
  /** The index's name. */
  public static final String NAME = ".quickscorer-models";

  /** How long to wait for the index after a start. */
  static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

  /**
   * The version of {@link #MAPPING} and of the documents, each of which has its own version in
   * {@link #SCHEMA}.
   */
  static final int SCHEMA_VERSION = 1;

  static final String SCHEMA = "schema";

  /** Key of the index's own data in the cluster state. */
  private static final String OURS = "quickscorer";

  private static final String IN_STEP = "in_step";

  private static final String MAPPING =
      """
      {
        "_meta": {"schema_version": 1},
        "dynamic": "strict",
        "properties": {
          "schema": {"type": "short"},
          "kind": {"type": "keyword"},
          "name": {"type": "keyword"},
          "upload": {"type": "keyword"},
          "created": {"type": "date", "format": "epoch_millis"},
          "data": {"type": "binary"},
          "sha256": {"type": "keyword", "index": false, "doc_values": false},
          "metadata": {"type": "object", "enabled": false},
          "feature_set": {"type": "object", "enabled": false},
          "read_options": {"type": "object", "enabled": false}
        }
      }
      """;

  private final GuardedClient client;
  private final ClusterService clusterService;

  public ModelIndex(GuardedClient client, ClusterService clusterService) {
    this.client = client;
    this.clusterService = clusterService;
  }

  /**
   * @throws org.opensearch.cluster.block.ClusterBlockException (503) before the cluster state is
   *     recovered
   */
  boolean exists() {
    ClusterState state = clusterService.state();
    ModelsMetadata.checkRecovered(state);
    return state.metadata().hasIndex(NAME);
  }

  /**
   * @throws org.opensearch.OpenSearchException (503) if there is an index of that name that can't
   *     serve, or it is not known yet whether there is
   */
  static void checkUsable(ClusterState state) {
    ModelsMetadata.checkRecovered(state);
    IndexMetadata index = state.metadata().index(NAME);
    if (index == null) {
      return;
    }
    if (index.getState() == IndexMetadata.State.CLOSE) {
      throw unusable("is closed; open it");
    }
    if (schemaVersion(index) == 0) {
      throw unusable(
          "was not created by this plugin: its mapping lacks [_meta.schema_version]; delete it");
    }
  }

  private static OpenSearchStatusException unusable(String why) {
    return new OpenSearchStatusException(
        "the index of models [{}] {}", RestStatus.SERVICE_UNAVAILABLE, NAME, why);
  }

  /** Returns the version of an index's mapping; 0 if the plugin did not create the index. */
  private static int schemaVersion(IndexMetadata index) {
    MappingMetadata mapping = index.mapping();
    return mapping != null
            && Door.ownMap(MediaTypeRegistry.JSON, mapping.source().uncompressed())
                    .get(mapping.type())
                instanceof Map<?, ?> fields
            && fields.get("_meta") instanceof Map<?, ?> meta
            && meta.get("schema_version") instanceof Integer version
        ? version
        : 0;
  }

  /**
   * Returns an id that differs from that of an earlier index of this name; empty if there is no
   * index.
   */
  String id() {
    IndexMetadata metadata = clusterService.state().metadata().index(NAME);
    return metadata == null ? "" : metadata.getIndexUUID();
  }

  /**
   * Copies that must be there before a write counts: two, where the cluster has the nodes and the
   * index the replicas, which a restore may have taken from it.
   */
  ActiveShardCount requiredCopies() {
    ClusterState state = clusterService.state();
    IndexMetadata index = state.metadata().index(NAME);
    int copies = index == null ? 2 : 1 + index.getNumberOfReplicas();
    int nodes = Math.max(1, state.nodes().getDataNodes().size());
    return ActiveShardCount.from(Math.min(2, Math.min(copies, nodes)));
  }

  /**
   * Returns the copy from which documents are read: a local one if there is any. With segment
   * replication it is the primary, because replicas get new documents later.
   */
  String preference() {
    return clusterService.state().metadata().isSegmentReplicationEnabled(NAME)
        ? Preference.PRIMARY.type()
        : Preference.LOCAL.type();
  }

  /** Begins a document. */
  static XContentBuilder begin(XContentBuilder source, String kind) throws IOException {
    return source.startObject().field(SCHEMA, SCHEMA_VERSION).field(ModelStore.KIND, kind);
  }

  /**
   * Returns an id of the index in a state that changes when the index is created or restored again;
   * the index must exist.
   */
  public static String step(ClusterState state) {
    IndexMetadata index = state.metadata().index(NAME);
    String history = index.getSettings().get(IndexMetadata.SETTING_HISTORY_UUID, "");
    return index.getIndexUUID() + "/" + history;
  }

  /** Returns whether the cluster state has adopted the data of its index. */
  public static boolean isInStep(ClusterState state) {
    Map<String, String> ours = state.metadata().index(NAME).getCustomData(OURS);
    return ours != null && step(state).equals(ours.get(IN_STEP));
  }

  /** Returns the state with a mark that it has adopted the data of its index. */
  public static ClusterState markInStep(ClusterState state) {
    return ClusterState.builder(state)
        .metadata(
            Metadata.builder(state.metadata())
                .put(
                    IndexMetadata.builder(state.metadata().index(NAME))
                        .putCustom(OURS, Map.of(IN_STEP, step(state)))))
        .build();
  }

  /**
   * Waits, for a limited time, until the index can be read or is known not to exist, because a node
   * that has just started accepts requests before its shards have started. Fails with 503 after
   * that time.
   */
  void whenReady(ActionListener<Void> listener) {
    whenReady(PATIENCE, listener);
  }

  /** Waits like {@link #whenReady}, for at most this time. */
  void whenReady(TimeValue max, ActionListener<Void> listener) {
    await(ModelIndex::isReady, max, listener);
  }

  /**
   * Waits like {@link #whenReady}, and also until the index is in this node's cluster state. Called
   * if another node has already created it.
   */
  private void whenThere(ActionListener<Void> listener) {
    await(state -> state.metadata().hasIndex(NAME) && isReady(state), PATIENCE, listener);
  }

  private void await(Predicate<ClusterState> ready, TimeValue max, ActionListener<Void> listener) {
    StateWait.until(
        clusterService,
        client.threadPool(),
        ready,
        max,
        waited ->
            new OpenSearchStatusException(
                "the index of models is not available after {}",
                RestStatus.SERVICE_UNAVAILABLE,
                waited),
        listener);
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
    if (clusterService.state().metadata().hasIndex(NAME)) {
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
            .mapping(MAPPING, MediaTypeRegistry.JSON)
            .waitForActiveShards(ActiveShardCount.ONE);
    client
        .admin()
        .indices()
        .create(
            request,
            ActionListener.wrap(
                created -> whenThere(listener),
                failure -> {
                  if (ExceptionsHelper.unwrapCause(failure)
                      instanceof ResourceAlreadyExistsException) {
                    whenThere(listener);
                  } else {
                    listener.onFailure(failure);
                  }
                }));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.StateWait;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.admin.cluster.state.ClusterStateAction;
import org.opensearch.action.admin.cluster.state.ClusterStateRequest;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MappingMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
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
public record ModelIndex(GuardedClient client, ClusterService clusterService) {
  /** The name of the index. */
  public static final String NAME = ".quickscorer-models";

  /** The maximum time to wait, after a node has started, until the index can be read. */
  static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

  /**
   * The version of the index's mapping ({@link #MAPPING}). New documents contain this version in
   * the field {@link #SCHEMA}.
   */
  static final int SCHEMA_VERSION = 1;

  static final String SCHEMA = "schema";

  /** The key of the plugin's data about the index (its custom metadata) in the cluster state. */
  private static final String CUSTOM_DATA = "quickscorer";

  private static final String SYNCHRONIZED = "in_step";

  /**
   * Prefix of keys in the index's custom metadata. The rest of such a key is the name of a model or
   * alias that was changed. The value is the {@link #incarnation} of the index; keys with another
   * value are ignored.
   */
  private static final String CHANGED = "changed/";

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

  /** Returns whether the index exists; throws (503) before the cluster state is recovered. */
  boolean exists() {
    ClusterState state = clusterService.state();
    ModelsMetadata.checkRecovered(state);
    return state.metadata().hasIndex(NAME);
  }

  /** Checks that the index can be used, or does not exist; otherwise throws an exception (503). */
  static void checkUsable(ClusterState state) {
    ModelsMetadata.checkRecovered(state);
    IndexMetadata index = state.metadata().index(NAME);
    if (index == null) {
      return;
    }
    if (index.getState() == IndexMetadata.State.CLOSE) {
      throw unusable("the index is closed; open it");
    }
    if (schemaVersion(index) == 0) {
      throw unusable(
          "this plugin did not create the index: the mapping lacks [_meta.schema_version]; delete"
              + " the index");
    }
  }

  /** Returns the exception (503) for an index that cannot be used, for the reason {@code why}. */
  static OpenSearchStatusException unusable(String why) {
    return new OpenSearchStatusException(
        "index of models [{}]: {}", RestStatus.SERVICE_UNAVAILABLE, NAME, why);
  }

  /** Returns the version of the mapping of an index; 0 if the plugin did not create the index. */
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

  /** Returns the UUID of the index, new for each created index; empty if there is no index. */
  String id() {
    IndexMetadata metadata = clusterService.state().metadata().index(NAME);
    return metadata == null ? "" : metadata.getIndexUUID();
  }

  /** Returns the number of active copies that a write requires in the current state. */
  ActiveShardCount requiredCopies() {
    return requiredCopies(clusterService.state());
  }

  /**
   * Returns the number of copies of the shard that must be active for a write. It is two if at
   * least two data nodes may hold a copy and the index has a replica, otherwise one. OpenSearch
   * never places a replica on a node older than the node of the primary shard. After a restore, the
   * index may have no replica.
   */
  static ActiveShardCount requiredCopies(ClusterState state) {
    IndexMetadata index = state.metadata().index(NAME);
    int copies = index == null ? 2 : 1 + index.getNumberOfReplicas();
    IndexRoutingTable routing = state.routingTable().index(NAME);
    DiscoveryNode primary =
        routing == null ? null : state.nodes().get(routing.shard(0).primaryShard().currentNodeId());
    long nodes =
        state.nodes().getDataNodes().values().stream()
            .filter(node -> primary == null || node.getVersion().onOrAfter(primary.getVersion()))
            .count();
    return ActiveShardCount.from(Math.clamp(nodes, 1, Math.min(2, copies)));
  }

  /**
   * Returns the search parameter {@code preference}. It selects a copy of the shard on this node if
   * there is one. With segment replication, it selects the primary shard instead, because other
   * copies get new documents later.
   */
  String preference() {
    return clusterService.state().metadata().isSegmentReplicationEnabled(NAME)
        ? Preference.PRIMARY.type()
        : Preference.LOCAL.type();
  }

  /**
   * Calls the listener if a write reached the index that is in the cluster manager's state;
   * otherwise fails (503). Each write needs this check, because a primary shard that is cut off
   * from the cluster acknowledges writes even after the index was deleted or restored.
   */
  void confirm(DocWriteResponse written, ActionListener<Void> listener) {
    whenCurrent(
        ActionListener.map(
            listener,
            state -> {
              IndexMetadata index = state.metadata().index(NAME);
              if (index == null
                  || !index.getIndex().equals(written.getShardId().getIndex())
                  || index.primaryTerm(0) != written.getPrimaryTerm()) {
                throw unusable(
                    "it was deleted, restored or moved to another node while a document was"
                        + " written; read the feature set and send the request again");
              }
              return null;
            }));
  }

  /**
   * Calls the listener as soon as no model uses an upload; fails (409) after a limited time. An
   * upload may be in use if it is the current version of its model, or if a restored index was not
   * imported yet.
   */
  void whenUnused(ModelManifest manifest, ActionListener<Void> listener) {
    whenCurrent(
        ActionListener.wrap(
            current ->
                StateWait.until(
                    clusterService,
                    client.threadPool(),
                    state -> !mayUse(manifest, state),
                    PATIENCE,
                    waited ->
                        new OpenSearchStatusException(
                            "model [{}]: the documents of its upload were not deleted, because the"
                                + " model was still in use after {}",
                            RestStatus.CONFLICT,
                            manifest.id(),
                            waited),
                    listener),
            listener::onFailure));
  }

  private static boolean mayUse(ModelManifest manifest, ClusterState state) {
    ModelManifest current = ModelsMetadata.of(state).get(manifest.id().name());
    boolean isCurrent = current != null && current.upload().equals(manifest.upload());
    return state.metadata().hasIndex(NAME) && (isCurrent || !isSynchronized(state));
  }

  /**
   * Passes this node's cluster state to the listener, as soon as it is at least as new as the state
   * that the cluster manager has now.
   */
  private void whenCurrent(ActionListener<ClusterState> listener) {
    client.execute(
        ClusterStateAction.INSTANCE,
        new ClusterStateRequest().clear(),
        ActionListener.wrap(
            manager ->
                await(
                    state -> state.version() >= manager.getState().version(),
                    PATIENCE,
                    ActionListener.map(listener, current -> clusterService.state())),
            listener::onFailure));
  }

  /** Starts to write a document: writes the schema version, and the kind of document. */
  static XContentBuilder begin(XContentBuilder source, String kind) throws IOException {
    return source.startObject().field(SCHEMA, SCHEMA_VERSION).field(ModelStore.KIND, kind);
  }

  /**
   * Returns a text that identifies the index, or "" if there is no index. The text changes if the
   * index is created again or restored.
   */
  public static String incarnation(ClusterState state) {
    IndexMetadata index = state.metadata().index(NAME);
    if (index == null) {
      return "";
    }
    String history = index.getSettings().get(IndexMetadata.SETTING_HISTORY_UUID, "");
    return index.getIndexUUID() + "/" + history;
  }

  /**
   * Returns whether {@link #markSynchronized} has marked the index since it was created or
   * restored. The index must exist.
   */
  public static boolean isSynchronized(ClusterState state) {
    return incarnation(state).equals(data(state).get(SYNCHRONIZED));
  }

  /** Returns a cluster state that is marked as containing the models and aliases of the index. */
  public static ClusterState markSynchronized(ClusterState state) {
    return withData(Map.of(SYNCHRONIZED, incarnation(state)), state);
  }

  /**
   * Returns a cluster state which also records {@code names}: models or aliases that were changed
   * before a restored index was imported. {@link #markSynchronized} removes these names.
   */
  public static ClusterState markChanged(List<String> names, ClusterState state) {
    String now = incarnation(state);
    Map<String, String> ours = new HashMap<>(data(state));
    ours.values().removeIf(marked -> !marked.equals(now));
    names.forEach(name -> ours.put(CHANGED + name, now));
    return withData(ours, state);
  }

  /** Returns how many names {@link #markChanged} has recorded since the index was restored. */
  public static long changedNames(ClusterState state) {
    if (!state.metadata().hasIndex(NAME)) {
      return 0;
    }
    String now = incarnation(state);
    return data(state).entrySet().stream()
        .filter(mark -> mark.getKey().startsWith(CHANGED) && mark.getValue().equals(now))
        .count();
  }

  /** Returns whether {@link #markChanged} has recorded a name since the index was restored. */
  public static boolean isChanged(String name, ClusterState state) {
    return incarnation(state).equals(data(state).get(CHANGED + name));
  }

  private static Map<String, String> data(ClusterState state) {
    Map<String, String> ours = state.metadata().index(NAME).getCustomData(CUSTOM_DATA);
    return ours == null ? Map.of() : ours;
  }

  private static ClusterState withData(Map<String, String> ours, ClusterState state) {
    return ClusterState.builder(state)
        .metadata(
            Metadata.builder(state.metadata())
                .put(
                    IndexMetadata.builder(state.metadata().index(NAME))
                        .putCustom(CUSTOM_DATA, ours)))
        .build();
  }

  /**
   * Calls the listener as soon as the index can be read, or immediately if it does not exist. Fails
   * with 503 after a limited time. The wait is needed because a starting node accepts requests
   * before its shards are ready.
   */
  void whenReady(ActionListener<Void> listener) {
    whenReady(PATIENCE, listener);
  }

  /**
   * Calls the listener as soon as the index can be read, or immediately if it does not exist. Fails
   * with 503 after the time {@code max}.
   */
  void whenReady(TimeValue max, ActionListener<Void> listener) {
    await(ModelIndex::isReady, max, listener);
  }

  /**
   * Calls the listener as soon as this node's cluster state contains the index, which was just
   * created, and the index is readable.
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

  /** Returns whether the cluster state is recovered and all shards of the index can be read. */
  public static boolean isReady(ClusterState state) {
    if (state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)) {
      return false;
    }
    IndexRoutingTable routing = state.routingTable().index(NAME);
    return routing == null ? !state.metadata().hasIndex(NAME) : routing.allPrimaryShardsActive();
  }

  /** Calls the listener as soon as the index can be used; creates the index if it is missing. */
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
                Guard.recovery(
                    listener,
                    failure -> {
                      if (ExceptionsHelper.unwrapCause(failure)
                          instanceof ResourceAlreadyExistsException) {
                        whenThere(listener);
                      } else {
                        listener.onFailure(failure);
                      }
                    })));
  }
}

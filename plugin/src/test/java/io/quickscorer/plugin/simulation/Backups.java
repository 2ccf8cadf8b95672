// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlocks;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexStateService;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.cluster.routing.allocation.AllocationService;
import org.opensearch.common.UUIDs;
import org.opensearch.common.settings.Settings;

/**
 * Snapshots of the index of models, and their restores as the server makes them: into a new index,
 * or into the present one with a new history. The global state is restored with the index.
 */
final class Backups {
  private static final String RESTORE = "index.simulated.restore";

  /** The names that operations change. */
  private static final List<String> MODELS = List.of("m0", "m1", "m2");

  private static final List<String> ALIASES = List.of("a0", "a1");
  private static final List<String> SETS = List.of("s0", "s1", Users.BASE);

  /** Milliseconds for which an index is closed before a restore into it. */
  private static final long CLOSED = 1_000;

  /** Whether an index is closed before a restore into it; if not, no node sees it closed. */
  boolean closes = true;

  private final SimulatedCluster cluster;
  private @Nullable Backup last;
  private int restores;
  private final Map<Integer, Backup> restored = new TreeMap<>();
  private final Set<String> lost = new HashSet<>();

  Backups(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  private record Backup(Metadata metadata, List<ShardDocument> documents) {
    IndexMetadata index() {
      return metadata.index(ModelIndex.NAME);
    }

    /** The value of each name. */
    Map<String, String> values() {
      Map<String, String> values = new TreeMap<>();
      for (ShardDocument document : documents) {
        Map<String, Object> fields = DocumentQuery.fields(document);
        if (document.id().equals("catalogue")) {
          ModelsMetadata models = Disk.metadata((Map<?, ?>) fields.get("metadata"));
          for (ModelManifest model : models.models().values()) {
            int mark = Users.mark(model.sha256());
            values.put("model " + model.id().name(), Integer.toString(mark));
          }
          for (ModelAlias alias : models.aliases().values()) {
            values.put("alias " + alias.name(), Users.shown(alias));
          }
        } else if (fields.get("feature_set") instanceof Map<?, ?> set
            && set.get("features") instanceof List<?> features
            && "feature_set".equals(fields.get("kind"))) {
          Object value = ((Map<?, ?>) features.getFirst()).get("default");
          values.put("set " + fields.get("name"), String.valueOf(((Number) value).intValue()));
        }
      }
      return values;
    }

    /** The uploads with all documents; the description is written last. */
    Set<Object> uploads() {
      Set<Object> uploads = new HashSet<>();
      for (ShardDocument document : documents) {
        Map<?, ?> fields = DocumentQuery.fields(document);
        if ("model".equals(fields.get("kind"))) {
          uploads.add(fields.get("upload"));
        }
      }
      return uploads;
    }
  }

  /** Whether a restore has taken the documents of a model's version. */
  boolean isLost(@Nullable ModelManifest model) {
    return model != null && lost.contains(model.upload());
  }

  /**
   * An operation begins: a model that a restore has taken is deleted with its aliases.
   *
   * @return notes that it has been done
   */
  Runnable deleting(Operation operation, Function<Operation, Runnable> history) {
    List<Runnable> ends = new ArrayList<>();
    if (restores > 0 && operation.kind() == Kind.DELETE_MODEL) {
      ALIASES.forEach(name -> ends.add(history.apply(restored("alias " + name, HistorySpec.NONE))));
    }
    return () -> ends.forEach(Runnable::run);
  }

  /** The documents with which the primary of the index of a state begins. */
  List<ShardDocument> restored(ClusterState state) {
    IndexMetadata index = state.metadata().index(ModelIndex.NAME);
    Backup from = index == null ? null : restored.get(number(index));
    return from == null ? List.of() : from.documents;
  }

  private static int number(IndexMetadata index) {
    return index.getSettings().getAsInt(RESTORE, 0);
  }

  /** Takes a snapshot, if the index is there. */
  void backUp() {
    SimulatedNode manager = cluster.manager();
    IndexMetadata index =
        manager == null ? null : manager.state().metadata().index(ModelIndex.NAME);
    if (manager == null || index == null) {
      return;
    }
    IndexShardRoutingTable routing = ShardHost.routing(manager.state());
    ShardCopy copy =
        routing == null || !routing.primaryShard().active()
            ? null
            : cluster.copy(routing.primaryShard().currentNodeId());
    if (copy != null && copy.allocation.equals(routing.primaryShard().allocationId().getId())) {
      Backup backup = new Backup(manager.state().metadata(), copy.existing());
      // An index that an operation created anew lacks the feature set of all models.
      if (backup.values().containsKey("set " + Users.BASE)) {
        last = backup;
        cluster.trace("the snapshot has " + last.values());
      }
    }
  }

  /**
   * Restores the last snapshot.
   *
   * @param delay milliseconds between the deletion of the index and the restore; 0 to restore into
   *     the present index
   * @param history notes that an operation begins; the result notes that it has been done
   */
  void restore(long delay, Function<Operation, Runnable> history) {
    Backup backup = last;
    if (backup == null) {
      return;
    }
    restores++;
    int number = restores;
    restored.put(number, backup);
    Map<String, String> values = backup.values();
    List<Runnable> ends = new ArrayList<>();
    for (String set : SETS) {
      String key = "set " + set;
      ends.add(history.apply(restored(key, HistorySpec.NONE)));
      ends.add(history.apply(restored(key, values.getOrDefault(key, HistorySpec.NONE))));
    }
    Runnable restore =
        () -> {
          MODELS.forEach(name -> begin("model " + name, values, history, ends));
          ALIASES.forEach(name -> begin("alias " + name, values, history, ends));
          cluster.change(
              "restore the index",
              (state, allocation) -> restored(state, number, backup, delay == 0, allocation),
              () -> ends.forEach(Runnable::run));
        };
    if (delay == 0 && closes) {
      // The server restores into a closed index only: no earlier write can reach what it restores.
      cluster.change(
          "close the index",
          (state, allocation) -> closed(state, number),
          () -> after(CLOSED, restore));
    } else {
      if (delay > 0) {
        // A repeated deletion does not delete an index that was created after the first attempt.
        AtomicReference<String> uuid = new AtomicReference<>();
        cluster.change(
            "delete the index", (state, allocation) -> deleted(state, number, uuid), () -> {});
      }
      after(delay, restore);
    }
  }

  private void after(long delay, Runnable action) {
    cluster.timeline.scheduleAt(cluster.timeline.getCurrentTimeMillis() + delay, action);
  }

  private static void begin(
      String key,
      Map<String, String> values,
      Function<Operation, Runnable> history,
      List<Runnable> ends) {
    if (values.containsKey(key)) {
      ends.add(history.apply(restored(key, values.get(key))));
    }
  }

  private static Operation restored(String key, String value) {
    return new Operation(Kind.RESTORE, 0, key, 0, value);
  }

  private static ClusterState closed(ClusterState state, int number) {
    IndexMetadata index = state.metadata().index(ModelIndex.NAME);
    if (index == null || number(index) >= number) {
      return state;
    }
    ClusterBlocks.Builder blocks = ClusterBlocks.builder().blocks(state.blocks());
    blocks.addIndexBlock(ModelIndex.NAME, MetadataIndexStateService.INDEX_CLOSED_BLOCK);
    return ClusterState.builder(state).blocks(blocks).build();
  }

  private static ClusterState deleted(
      ClusterState state, int number, AtomicReference<String> uuid) {
    IndexMetadata index = state.metadata().index(ModelIndex.NAME);
    if (index == null || number(index) >= number) {
      return state;
    }
    uuid.compareAndSet(null, index.getIndexUUID());
    if (!index.getIndexUUID().equals(uuid.get())) {
      return state;
    }
    return ClusterState.builder(state)
        .metadata(Metadata.builder(state.metadata()).remove(ModelIndex.NAME))
        .routingTable(RoutingTable.builder(state.routingTable()).remove(ModelIndex.NAME).build())
        .build();
  }

  private ClusterState restored(
      ClusterState state,
      int number,
      Backup backup,
      boolean inPlace,
      AllocationService allocation) {
    IndexMetadata old = state.metadata().index(ModelIndex.NAME);
    if (old != null && number(old) >= number) {
      return state;
    }
    for (ModelManifest model : ModelsMetadata.of(state).models().values()) {
      if (!backup.uploads().contains(model.upload())) {
        lost.add(model.upload());
      }
    }
    IndexMetadata from = backup.index();
    long term = Math.max(from.primaryTerm(0), old == null ? 0 : old.primaryTerm(0));
    IndexMetadata index =
        IndexMetadata.builder(from)
            .settings(
                Settings.builder()
                    .put(from.getSettings())
                    .put(
                        IndexMetadata.SETTING_INDEX_UUID,
                        inPlace && old != null ? old.getIndexUUID() : UUIDs.randomBase64UUID())
                    .put(IndexMetadata.SETTING_HISTORY_UUID, UUIDs.randomBase64UUID())
                    .put(RESTORE, number))
            .putInSyncAllocationIds(0, Set.of())
            .primaryTerm(0, term + 1)
            .build();
    RoutingTable.Builder routing = RoutingTable.builder(state.routingTable());
    if (old != null) {
      routing.remove(ModelIndex.NAME);
    }
    Metadata.Builder metadata = Metadata.builder(state.metadata()).put(index, true);
    // The server also restores these objects if a request includes the global state.
    backup
        .metadata
        .customs()
        .forEach(
            (name, custom) -> {
              if (custom.context().contains(Metadata.XContentContext.SNAPSHOT)) {
                metadata.putCustom(name, custom);
              }
            });
    return allocation.reroute(
        ClusterState.builder(state)
            .blocks(ClusterBlocks.builder().blocks(state.blocks()).updateBlocks(index))
            .metadata(metadata)
            .routingTable(routing.addAsNew(index).build())
            .build(),
        "restored");
  }
}

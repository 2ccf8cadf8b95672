// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.Catalogue;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.store.StoredChunks;
import io.quickscorer.plugin.wire.WireLevel;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.NotClusterManagerException;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.threadpool.ThreadPool;

/**
 * Ensures that the cluster state and the index of models contain equal models and aliases. Works
 * only on the elected cluster manager.
 *
 * <p>After the index is restored, the models and aliases in its {@link Catalogue} are added to the
 * cluster state if their documents are complete. Then the index and the cluster state are
 * <em>synchronized</em>: each change of the cluster state is written to the catalogue.
 */
public final class CatalogueKeeper implements ClusterStateListener, Closeable {
  private static final Logger LOGGER = LogManager.getLogger(CatalogueKeeper.class);
  private static final TimeValue RETRY = TimeValue.timeValueSeconds(5);

  /** Maximum number of repeated writes of the {@link Catalogue}, if other nodes write it too. */
  private static final int MAX_CONFLICTS = 10;

  /** Maximum number of changed models and aliases before a restored index is imported. */
  static final int MAX_CHANGED = 10_000;

  private final ClusterService clusterService;
  private final ThreadPool threadPool;
  private final ModelStore store;
  private final Catalogue catalogue;
  private final AtomicBoolean following = new AtomicBoolean();
  private final AtomicBoolean changedMeanwhile = new AtomicBoolean();
  private final AtomicBoolean failing = new AtomicBoolean();

  CatalogueKeeper(
      ClusterService clusterService, ThreadPool threadPool, ModelStore store, Catalogue catalogue) {
    this.clusterService = clusterService;
    this.threadPool = threadPool;
    this.store = store;
    this.catalogue = catalogue;
  }

  static boolean leads(ClusterState state) {
    return state.nodes().isLocalNodeElectedClusterManager() && ModelsMetadata.isRecovered(state);
  }

  /**
   * Starts to synchronize the cluster state and the index. The work runs on another thread, because
   * the calling thread applies cluster states.
   */
  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    Guard.run(() -> "the cluster state", () -> changed(event));
  }

  private void changed(ClusterChangedEvent event) {
    ClusterState state = event.state();
    if (leads(state)
        && (!leads(event.previousState())
            || event.nodesChanged()
            || event.indexRoutingTableChanged(ModelIndex.NAME)
            || event.changedCustomMetadataSet().contains(ModelsMetadata.TYPE))) {
      schedule(TimeValue.ZERO);
    }
  }

  private void schedule(TimeValue delay) {
    try {
      Guard.schedule(threadPool, this::follow, delay);
    } catch (OpenSearchRejectedExecutionException e) {
      LOGGER.debug("the catalogue of models is not updated, because the node is closing", e);
    }
  }

  private void follow() {
    changedMeanwhile.set(true);
    if (!following.compareAndSet(false, true)) {
      return;
    }
    changedMeanwhile.set(false);
    synchronize(
        ActionListener.runAfter(
            ActionListener.wrap(
                done -> failing.set(false),
                failure -> {
                  if (leads(clusterService.state())) {
                    // Once: an index that cannot be read is tried again every few seconds.
                    LOGGER.log(
                        failing.getAndSet(true) ? Level.DEBUG : Level.WARN,
                        "could not import or update the index of models, trying again: {}",
                        ExceptionsHelper.unwrapCause(failure).toString());
                    LOGGER.debug("could not import or update the index of models", failure);
                    schedule(RETRY);
                  }
                }),
            () -> {
              following.set(false);
              if (changedMeanwhile.get()) {
                schedule(TimeValue.ZERO);
              }
            }));
  }

  /**
   * Returns whether the cluster state contains the models and aliases of the index, in the newest
   * format that all nodes can read. This can be false after a snapshot was restored, or after a
   * cluster manager without the plugin has removed the models.
   */
  static boolean isSynchronized(ClusterState state) {
    ModelsMetadata models = state.metadata().custom(ModelsMetadata.TYPE);
    return ModelIndex.isSynchronized(state) && models != null && models.wire() == level(state);
  }

  /**
   * Returns a cluster state which records that names were changed. If a restored index is imported
   * later, the import does not overwrite these models and aliases.
   */
  public static ClusterState keepChanged(List<String> names, ClusterState state) {
    return names.isEmpty() || !state.metadata().hasIndex(ModelIndex.NAME) || isSynchronized(state)
        ? state
        : ModelIndex.markChanged(names, state);
  }

  /**
   * Checks that one more changed name can be recorded. Until a restored index is imported, the
   * cluster state records the names of all models and aliases that were changed.
   *
   * @throws OpenSearchStatusException (503) if {@link #MAX_CHANGED} names are already recorded
   */
  public static void checkChanged(ClusterState state) {
    if (ModelIndex.changedNames(state) >= MAX_CHANGED) {
      throw ChangeFence.forNow(
          new OpenSearchStatusException(
              "the restored index [{}] is not imported yet, and {} models and aliases were changed"
                  + " since it was restored; no more can be changed until it is imported; the"
                  + " cluster manager's log says why it is not",
              RestStatus.SERVICE_UNAVAILABLE,
              ModelIndex.NAME,
              MAX_CHANGED));
    }
  }

  private static int level(ClusterState state) {
    return WireLevel.of(state.nodes()).version();
  }

  /**
   * Adds the models of a restored index to the cluster state, or writes the cluster state's models
   * to the catalogue in the index. Calls the listener when state and catalogue contain equal models
   * and aliases, or immediately if there is no index. Fails if another node is the cluster manager.
   */
  public void synchronize(ActionListener<Void> listener) {
    ClusterState state = clusterService.state();
    if (!leads(state)) {
      listener.onFailure(notLeading());
      return;
    }
    if (!state.metadata().hasIndex(ModelIndex.NAME)) {
      listener.onResponse(null);
      return;
    }
    String incarnation = ModelIndex.incarnation(state);
    boolean known = isSynchronized(state);
    if (!known && !ModelsMetadata.isReadable(state)) {
      // Before all stored models are read; a node that leaves starts the work again.
      try {
        WireLevel.of(state.nodes()).requireCurrent("the catalogue of models");
      } catch (OpenSearchStatusException behind) {
        listener.onFailure(behind);
        return;
      }
    }
    catalogue.read(
        ActionListener.wrap(
            entry -> {
              if (known) {
                write(entry, MAX_CONFLICTS, listener);
              } else {
                adopt(incarnation, entry, listener);
              }
            },
            listener::onFailure));
  }

  private static NotClusterManagerException notLeading() {
    return new NotClusterManagerException("another node now writes the catalogue of models");
  }

  private void write(
      Catalogue.@Nullable Entry current, int conflicts, ActionListener<Void> listener) {
    ClusterState state = clusterService.state();
    ModelsMetadata now = ModelsMetadata.of(state);
    if (!leads(state)) {
      listener.onFailure(notLeading());
      return;
    }
    if (!state.metadata().hasIndex(ModelIndex.NAME)
        || (current != null && current.models().hasSame(now))) {
      listener.onResponse(null);
      return;
    }
    if (!isSynchronized(state)) {
      listener.onFailure(
          new OpenSearchStatusException(
              "the index of models [{}] was restored during the request",
              RestStatus.SERVICE_UNAVAILABLE,
              ModelIndex.NAME));
      return;
    }
    catalogue.write(
        now,
        current,
        Guard.recovering(
            listener,
            (l, failure) -> {
              if (conflicts > 0 && ExceptionsHelper.status(failure) == RestStatus.CONFLICT) {
                catalogue.read(
                    ActionListener.wrap(entry -> write(entry, conflicts - 1, l), l::onFailure));
              } else {
                l.onFailure(failure);
              }
            }));
  }

  /**
   * Adds the models and aliases of a restored index to the cluster state.
   *
   * @param incarnation the {@link ModelIndex#incarnation} of the restored index
   * @param entry the catalogue (list of models) in the index; null if there is none
   */
  private void adopt(
      String incarnation, Catalogue.@Nullable Entry entry, ActionListener<Void> listener) {
    ClusterState now = clusterService.state();
    ModelsMetadata stored = entry == null ? ModelsMetadata.EMPTY : entry.models();
    ModelsMetadata here = ModelsMetadata.of(now);
    List<ModelManifest> whole = new ArrayList<>();
    Sequence.each(
        stored.models().values().stream()
            .filter(manifest -> !manifest.equals(here.get(manifest.id().name())))
            .iterator(),
        (manifest, next) ->
            store.verify(
                manifest,
                ActionListener.wrap(
                    yes -> {
                      whole.add(manifest);
                      next.onResponse(null);
                    },
                    failure -> {
                      if (StoredChunks.isBroken(failure)) {
                        LOGGER.warn(
                            "could not import a model from the restored index: {}",
                            failure.getMessage());
                        next.onResponse(null);
                      } else {
                        next.onFailure(failure);
                      }
                    })),
        ActionListener.wrap(
            checked ->
                submit(
                    state -> adopted(state, incarnation, whole, stored),
                    ActionListener.wrap(
                        adopted -> write(entry, MAX_CONFLICTS, listener), listener::onFailure)),
            listener::onFailure));
  }

  private ClusterState adopted(
      ClusterState state, String incarnation, List<ModelManifest> whole, ModelsMetadata stored) {
    if (!state.metadata().hasIndex(ModelIndex.NAME)
        || !incarnation.equals(ModelIndex.incarnation(state))
        || isSynchronized(state)
        || !ModelsMetadata.isReadable(state)) {
      // The index was deleted or restored again, its data was already added, or a node without the
      // plugin could not read them.
      return state;
    }
    ModelsMetadata before = ModelsMetadata.of(state);
    ModelsMetadata after = before;
    for (ModelManifest manifest : whole) {
      String name = manifest.id().name();
      boolean unchanged = !ModelIndex.isChanged(name, state);
      if (unchanged && after.aliases().containsKey(name)) {
        LOGGER.warn(
            "did not import model [{}] from the restored index: an alias has its name", name);
      } else if (unchanged) {
        after = after.with(manifest);
      }
    }
    for (var alias : stored.aliases().values()) {
      String name = alias.name();
      boolean unchanged = !ModelIndex.isChanged(name, state);
      if (unchanged && after.get(name) != null) {
        LOGGER.warn(
            "did not import alias [{}] from the restored index: a model has its name", name);
      } else if (unchanged
          && !after.models().keySet().containsAll(alias.target().models().keySet())) {
        LOGGER.warn("did not import alias [{}] from the restored index: a model is missing", name);
      } else if (unchanged) {
        after = after.with(alias);
      }
    }
    if (!after.equals(before)) {
      LOGGER.info(
          "imported the restored index: the cluster has {} models, {} of them from the index",
          after.models().size(),
          whole.size());
    }
    return after.in(ModelIndex.markSynchronized(state));
  }

  private void submit(UnaryOperator<ClusterState> change, ActionListener<Void> listener) {
    clusterService.submitStateUpdateTask(
        "adopt the models of index [" + ModelIndex.NAME + "]",
        new ClusterStateUpdateTask(Priority.NORMAL) {
          @Override
          public ClusterState execute(ClusterState state) {
            return change.apply(state);
          }

          @Override
          public void onFailure(String source, Exception failure) {
            listener.onFailure(failure);
          }

          @Override
          public void clusterStateProcessed(String source, ClusterState before, ClusterState now) {
            listener.onResponse(null);
          }
        });
  }

  @Override
  public void close() {
    clusterService.removeListener(this);
  }
}

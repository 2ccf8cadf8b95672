// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.Readiness;
import io.quickscorer.plugin.model.node.ModelLookup.ModelFeatures;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.scorer.Algorithm;
import java.io.Closeable;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.gateway.GatewayService;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Loads the models in the cluster state's list on this node. Repeats failed loads, and releases
 * models that were deleted. Safe for use by several threads.
 */
public final class ModelService implements ModelLookup, ClusterStateListener, Closeable {
  /** The time for which an uploaded version stays loaded if it does not become current. */
  private static final TimeValue AHEAD = TimeValue.timeValueMinutes(5);

  private static final TimeValue REMEMBER_EVERY = TimeValue.timeValueMinutes(1);

  private final ClusterService clusterService;
  private final CurrentVersions current;
  private final ModelStore store;
  private final FeatureSetStore featureSets;
  private final Quarantine quarantine;
  private final LoadMarks marks;
  private final ModelSettings settings;
  private final ModelRegistry registry;
  private final ModelLoading loading;
  private final FeaturesCache features;
  private final EngineReplacement engines;
  private final Scheduler.Cancellable remembering;
  private final RecentUses uses;
  private final LoadOrder order;
  private final LoadQueue queue;
  private final Consumer<ModelId> onLoaded;
  private final Runnable onDropped;

  /** Whether the index of models was readable at any time since the node started. */
  private volatile boolean readable;

  private volatile ModelsMetadata seen = ModelsMetadata.EMPTY;

  /** Whether the node has received a cluster state that was recovered from disk. */
  private volatile boolean recovered;

  /**
   * Creates the node's instance.
   *
   * @param onLoaded called when a version was loaded on this node; must be fast
   * @param onDropped called when compiled versions were removed from this node, to remove data
   *     computed from them; must be fast
   */
  ModelService(
      ClusterService clusterService,
      ThreadPool threadPool,
      ModelStore store,
      ModelBreaker breaker,
      FeatureSetStore featureSets,
      ModelLoader loader,
      Quarantine quarantine,
      LoadMarks marks,
      ModelSettings settings,
      Consumer<ModelId> onLoaded,
      RecentUses uses,
      Runnable onDropped) {
    this.clusterService = clusterService;
    this.current = new CurrentVersions(clusterService, threadPool);
    this.store = store;
    this.featureSets = featureSets;
    this.quarantine = quarantine;
    this.marks = marks;
    this.settings = settings;
    this.uses = uses;
    this.order = new LoadOrder(uses::lastUse);
    this.onLoaded = onLoaded;
    this.onDropped = onDropped;
    this.registry =
        new ModelRegistry(
            // Not the cached clock: it can be 200 ms late, and a purge would keep an expired
            // version.
            () -> TimeValue.nsecToMSec(threadPool.preciseRelativeTimeInNanos()),
            id ->
                new WaitingListeners(
                    threadPool, () -> settings.get(ModelSettings.MAX_WAIT), max -> late(id, max)));
    this.queue =
        new LoadQueue(
            threadPool.info(WorkPool.LOADS.pool()).getMax(),
            WorkPool.LOADS.of(threadPool),
            Guard.executor(threadPool, ThreadPool.Names.GENERIC),
            this::isReadable,
            registry::isAwaited,
            order,
            LoadPace.of(threadPool));
    this.loading =
        new ModelLoading(
            threadPool,
            registry,
            queue,
            marks,
            loader,
            this::loaded,
            onDropped,
            this::purgeFeatures,
            this::needed);
    this.features = new FeaturesCache(store, breaker, this::manifest);
    this.engines = new EngineReplacement(registry, loader, loading, quarantine, onDropped);
    this.remembering = Guard.repeat(threadPool, this::remember, REMEMBER_EVERY);
  }

  @Override
  public ModelId pin(String name) {
    return current.all().resolve(name).id();
  }

  @Override
  public Names names() {
    ClusterState state = clusterService.state();
    return (name, key) -> ModelsMetadata.of(state).resolve(name, key).id();
  }

  @Override
  public void features(ModelId id, ActionListener<ModelFeatures> listener) {
    whenReadable(to -> features.get(id, current.explaining(id, to)), listener);
  }

  @Override
  public void whenGone(ModelId id, ActionListener<Void> listener) {
    current.whenGone(id, listener);
  }

  private @Nullable ModelManifest manifest(ModelId id) {
    ModelManifest manifest = current.get(id);
    return manifest == null ? registry.manifest(id) : manifest;
  }

  @Override
  public void featureSet(String name, ActionListener<FeatureSet> listener) {
    whenReadable(to -> featureSets.get(name, to), listener);
  }

  /**
   * Reads from the index of models as soon as the index is readable, which may take some time after
   * the node's start.
   */
  private <T> void whenReadable(Consumer<ActionListener<T>> read, ActionListener<T> listener) {
    if (isReadable()) {
      read.accept(listener);
    } else {
      store.whenReady(
          settings.get(ModelSettings.MAX_WAIT),
          ActionListener.wrap(ready -> read.accept(listener), listener::onFailure));
    }
  }

  @Override
  public boolean isLoaded(ModelId id) {
    return registry.isLoaded(id);
  }

  @Override
  public boolean isKnown(ModelId id) {
    return registry.isLoaded(id) || seen.get(id) != null;
  }

  @Override
  public void load(ModelId id, ActionListener<Void> listener) {
    if (registry.isLoaded(id)) {
      listener.onResponse(null);
      return;
    }
    ModelManifest manifest = manifest(id);
    if (manifest == null) {
      listener.onFailure(current.foreign(id));
    } else {
      loading.load(
          manifest,
          Purpose.PINNED,
          settings.get(ModelSettings.RETIRE_AFTER),
          current.explaining(id, listener));
    }
  }

  /** Records that a search used a model; a starting node loads the last used models first. */
  public void used(ModelId id) {
    uses.use(id.name());
  }

  @Override
  public ModelUse acquire(ModelId id) {
    try {
      return registry.acquire(id);
    } catch (OpenSearchStatusException e) {
      throw current.get(id) == null ? current.foreign(id) : e;
    }
  }

  /** Loads an uploaded version before it becomes current, and keeps it for at least 5 minutes. */
  public void loadAhead(ModelManifest manifest, ActionListener<Void> listener) {
    loading.load(manifest, Purpose.AHEAD, AHEAD, listener);
  }

  /** Removes the cached features of all models. The features are read again when needed. */
  public void forgetFeatures() {
    features.clear();
  }

  /** Releases a version that {@link #loadAhead} loaded, because it will not become current. */
  public void release(ModelId id) {
    registry.expire(id);
    loading.purge();
  }

  /** Returns the states of all versions on this node. */
  public List<ModelState> states() {
    return registry.states().stream().map(state -> state.with(quarantine.of(state.id()))).toList();
  }

  /** Returns which models this node has loaded, is loading, or could not load. Does not wait. */
  public Readiness readiness() {
    ClusterState state = clusterService.state();
    if (state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)) {
      return Readiness.waitingFor("the cluster state");
    }
    if (!isReadable()) {
      return Readiness.waitingFor("the index of models");
    }
    Set<ModelId> current =
        state.nodes().getLocalNode().isDataNode() ? ModelsMetadata.of(state).ids() : Set.of();
    return registry.readiness(current);
  }

  private OpenSearchStatusException late(ModelId id, TimeValue max) {
    return new OpenSearchStatusException(
        "model [{}] was not loaded on this node within {}, the value of setting [{}]{}",
        RestStatus.SERVICE_UNAVAILABLE,
        id,
        max,
        ModelSettings.MAX_WAIT.getKey(),
        isStarting() ? ", because the index of models is not available" : "");
  }

  /**
   * Starts and stops loading models according to a new cluster state. Models are loaded on other
   * threads, because the calling thread applies cluster states.
   */
  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    Guard.run(() -> "the cluster state", () -> changed(event));
  }

  private void changed(ClusterChangedEvent event) {
    ClusterState state = event.state();
    if (state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)) {
      return;
    }
    ModelsMetadata models = ModelsMetadata.of(state);
    boolean changed = !models.equals(seen);
    if (changed) {
      seen = models;
      order.update(models);
      TimeValue retireAfter = settings.get(ModelSettings.RETIRE_AFTER);
      registry.setCurrent(models.ids(), retireAfter.millis());
      loading.schedulePurge(retireAfter);
      if (!event.state().nodes().getLocalNode().isDataNode()) {
        // This node has no models to drop, but has statistics of models.
        loading.execute(onDropped);
      }
    }
    recovered = true;
    if (changed || event.indexRoutingTableChanged(ModelIndex.NAME)) {
      loading.execute(this::loadCurrent);
    }
  }

  private void loadCurrent() {
    if (isStarting()) {
      return;
    }
    List<ModelManifest> models = order.sorted(seen.models());
    if (clusterService.localNode().isDataNode()) {
      for (ModelManifest manifest : models) {
        loading.load(
            manifest,
            Purpose.CURRENT,
            TimeValue.ZERO,
            ActionListener.wrap(loaded -> {}, failure -> {}));
      }
      queue.next();
    }
    features.readAhead(models.iterator());
  }

  private @Nullable ModelManifest needed(ModelId id) {
    return isStarting() || !clusterService.localNode().isDataNode() ? null : seen.get(id);
  }

  private void loaded(ModelId id) {
    engines.compiled(id);
    onLoaded.accept(id);
  }

  /** Removes the cached features and the recorded failures of versions that no longer exist. */
  private void purgeFeatures() {
    features.purge(this::isNamed);
    if (!isStarting()) {
      marks.retain(this::isNamed);
    }
  }

  private boolean isNamed(ModelId id) {
    return seen.get(id) != null || registry.manifest(id) != null;
  }

  private boolean isReadable() {
    readable = readable || !isStarting();
    return readable;
  }

  /** Returns whether the node still waits for the cluster state or for the index of models. */
  private boolean isStarting() {
    return !ModelIndex.isReady(clusterService.state());
  }

  @Override
  public Set<Algorithm> quarantined(ModelId id) {
    return quarantine.of(id);
  }

  @Override
  public void quarantine(ModelId id, Algorithm engine) {
    engines.quarantine(id, engine);
  }

  /** Compiles the loaded models again, because the engine in the settings has changed. */
  void recompile() {
    engines.recompileAll();
  }

  private void remember() {
    if (recovered) {
      uses.write(seen.models().keySet());
    }
  }

  @Override
  public void close() {
    loading.close();
    remembering.cancel();
    remember();
    clusterService.removeListener(this);
    registry.close();
  }
}

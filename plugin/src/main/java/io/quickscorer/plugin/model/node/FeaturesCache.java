// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelFeatures;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.store.ModelStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.cache.Cache;
import org.opensearch.common.cache.CacheBuilder;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * The features of models, read from the index of models and kept, whether or not the models are
 * compiled on this node. What is kept is charged to the models' breaker, of which it takes a
 * quarter at most; where there is no memory, it is read anew each time. Safe for use by several
 * threads.
 */
final class FeaturesCache {
  private static final Logger LOGGER = LogManager.getLogger(FeaturesCache.class);

  /** Of the models' memory, what is kept at most. */
  private static final double SHARE = 0.25;

  private final Cache<ModelId, Kept> cache;
  private final ModelBreaker breaker;
  private final ModelStore store;
  private final Function<ModelId, @Nullable ModelManifest> manifests;
  private final Executor executor;

  private record Kept(ModelFeatures features, MemoryCharge memory) {}

  /**
   * @param manifests finds the manifest of a version, if there is one
   * @param executor goes on reading ahead after a failure
   */
  FeaturesCache(
      ModelStore store,
      ModelBreaker breaker,
      Function<ModelId, @Nullable ModelManifest> manifests,
      Executor executor) {
    long limit = breaker.breaker().getLimit();
    this.cache =
        CacheBuilder.<ModelId, Kept>builder()
            .setMaximumWeight(limit < 0 ? Long.MAX_VALUE : (long) (limit * SHARE))
            .weigher((id, kept) -> kept.memory.bytes())
            .removalListener(removed -> removed.getValue().memory.close())
            .build();
    this.breaker = breaker;
    this.store = store;
    this.manifests = manifests;
    this.executor = executor;
  }

  /** A version's features; fails with 404 if there is no such version. */
  void get(ModelId id, ActionListener<ModelFeatures> listener) {
    Kept cached = cache.get(id);
    if (cached != null) {
      listener.onResponse(cached.features);
      return;
    }
    ModelManifest manifest = manifests.apply(id);
    if (manifest == null) {
      listener.onFailure(ModelService.missing(id.name()));
      return;
    }
    store.describe(
        manifest,
        ActionListener.map(
            listener,
            description -> {
              ModelFeatures features = description.modelFeatures();
              keep(id, features, description.heapBytes());
              return features;
            }));
  }

  private void keep(ModelId id, ModelFeatures features, long bytes) {
    try {
      // Not by reserve, which would drop what is worth more.
      String label = "<features of model " + id + ">";
      cache.put(id, new Kept(features, MemoryCharge.take(breaker.breaker(), bytes, label)));
    } catch (CircuitBreakingException e) {
      LOGGER.debug("features of [{}] are not kept", id, e);
      return;
    }
    if (manifests.apply(id) == null) {
      // It went while they were read: the purge that came with that has not seen them.
      cache.invalidate(id);
    }
  }

  /** Drops the features of versions that are not known any more. */
  void purge(Predicate<ModelId> known) {
    List<ModelId> gone = new ArrayList<>();
    cache.keys().forEach(gone::add);
    gone.removeIf(known);
    gone.forEach(cache::invalidate);
  }

  /** One model after another, so that searches that need one now do not wait behind all. */
  void readAhead(Iterator<ModelManifest> models) {
    while (models.hasNext()) {
      ModelId id = models.next().id();
      if (cache.get(id) == null) {
        get(
            id,
            ActionListener.wrap(
                features -> readAhead(models),
                failure -> {
                  LOGGER.debug("features of [{}] not read yet", id, failure);
                  // Not from here: what fails at once would come back once per model.
                  executor.execute(() -> readAhead(models));
                }));
        return;
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelFeatures;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.store.ModelStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.cache.Cache;
import org.opensearch.common.cache.CacheBuilder;
import org.opensearch.core.action.ActionListener;

/**
 * The features of models, read from the index of models and kept, whether or not the models are
 * compiled on this node. Safe for use by several threads.
 */
final class FeaturesCache {
  private static final Logger LOGGER = LogManager.getLogger(FeaturesCache.class);

  /** Features of all versions whose features are kept. */
  private static final int MAX_FEATURES = 100_000;

  private final Cache<ModelId, ModelFeatures> cache =
      CacheBuilder.<ModelId, ModelFeatures>builder()
          .setMaximumWeight(MAX_FEATURES)
          .weigher((id, model) -> model.features().features().size())
          .build();
  private final ModelStore store;
  private final Function<ModelId, @Nullable ModelManifest> manifests;
  private final Executor executor;

  /**
   * @param manifests finds the manifest of a version, if there is one
   * @param executor goes on reading ahead after a failure
   */
  FeaturesCache(
      ModelStore store, Function<ModelId, @Nullable ModelManifest> manifests, Executor executor) {
    this.store = store;
    this.manifests = manifests;
    this.executor = executor;
  }

  /** A version's features; fails with 404 if there is no such version. */
  void get(ModelId id, ActionListener<ModelFeatures> listener) {
    ModelFeatures cached = cache.get(id);
    if (cached != null) {
      listener.onResponse(cached);
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
              cache.put(id, features);
              return features;
            }));
  }

  /** Drops the features of versions that nobody knows any more. */
  void purge() {
    List<ModelId> kept = new ArrayList<>();
    cache.keys().forEach(kept::add);
    kept.removeIf(id -> manifests.apply(id) != null);
    kept.forEach(cache::invalidate);
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

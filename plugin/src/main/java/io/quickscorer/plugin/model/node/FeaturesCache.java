// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelLookup.ModelFeatures;
import io.quickscorer.plugin.model.store.ModelStore;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * Caches the features of models. The features are read from the index of models, whether or not the
 * models are loaded. The features' memory is charged at the circuit breaker for models, and takes
 * at most a quarter of the breaker's limit. If memory is short, features are read at each use. Safe
 * for use by several threads.
 */
final class FeaturesCache {
  private static final Logger LOGGER = LogManager.getLogger(FeaturesCache.class);

  /** The maximum fraction of the circuit breaker's limit that the cached features may take. */
  private static final double SHARE = 0.25;

  /** The cached features of each version, in the order of their last use, the oldest first. */
  private final Map<ModelId, Kept> entries = new LinkedHashMap<>(16, 0.75f, true);

  private final ModelBreaker breaker;
  private final ModelStore store;
  private final Function<ModelId, @Nullable ModelManifest> manifests;
  private final MemoryCharge memory;

  /** Whether memory was too short to cache the features that were read last. */
  private boolean refused;

  private record Kept(ModelFeatures features, long bytes) {}

  /**
   * Creates an empty cache.
   *
   * @param store reads the features
   * @param breaker limits the memory
   * @param manifests returns a version's manifest (its entry in the cluster state), or null if the
   *     version does not exist
   */
  FeaturesCache(
      ModelStore store,
      ModelBreaker breaker,
      Function<ModelId, @Nullable ModelManifest> manifests) {
    this.breaker = breaker;
    this.memory = MemoryCharge.none(breaker.breaker(), "<features of models>");
    this.store = store;
    this.manifests = manifests;
  }

  /** Passes a version's features to the listener; fails with 404 if there is no such version. */
  void get(ModelId id, ActionListener<ModelFeatures> listener) {
    ModelFeatures kept = kept(id);
    if (kept != null) {
      listener.onResponse(kept);
      return;
    }
    ModelManifest manifest = manifests.apply(id);
    if (manifest == null) {
      listener.onFailure(ModelsMetadata.missing(id.name()));
      return;
    }
    store.describe(
        manifest,
        ActionListener.map(
            listener,
            description -> {
              ModelFeatures features =
                  new ModelFeatures(description.features(), description.featuresUsed());
              keep(id, features, description.heapBytes());
              if (manifests.apply(id) == null) {
                // The version was removed while its features were read, after the last purge.
                purge(known -> !known.equals(id));
              }
              return features;
            }));
  }

  private synchronized @Nullable ModelFeatures kept(ModelId id) {
    Kept kept = entries.get(id);
    return kept == null ? null : kept.features;
  }

  private synchronized void keep(ModelId id, ModelFeatures features, long size) {
    long max = maxBytes();
    if (size > max) {
      return;
    }
    Kept replaced = entries.remove(id);
    if (replaced != null) {
      memory.shrinkTo(memory.bytes() - replaced.bytes);
    }
    Iterator<Kept> eldest = entries.values().iterator();
    while (memory.bytes() > max - size) {
      drop(eldest, eldest.next());
    }
    try {
      // Without breaker.reserve, which would drop other data that takes longer to create again.
      memory.grow(size);
      entries.put(id, new Kept(features, size));
      refused = false;
    } catch (CircuitBreakingException e) {
      refused = true;
      LOGGER.debug("could not cache the features of model [{}]", id, e);
    }
  }

  private long maxBytes() {
    long limit = breaker.breaker().getLimit();
    return limit < 0 ? Long.MAX_VALUE : (long) (limit * SHARE);
  }

  /**
   * Returns whether more features may be preloaded; preloaded features may fill at most half of the
   * cache.
   */
  private synchronized boolean hasRoom() {
    return !refused && memory.bytes() <= maxBytes() / 2;
  }

  /**
   * Removes one version's features from the cache, and reduces the charge.
   *
   * @param from an iterator over the cache; the element that it returned last is removed
   * @param last the features in this element
   */
  private void drop(Iterator<?> from, Kept last) {
    from.remove();
    memory.shrinkTo(memory.bytes() - last.bytes);
  }

  /**
   * Removes the features of versions that do not exist; {@code known} returns whether one exists.
   */
  synchronized void purge(Predicate<ModelId> known) {
    Iterator<Map.Entry<ModelId, Kept>> each = entries.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<ModelId, Kept> entry = each.next();
      if (!known.test(entry.getKey())) {
        drop(each, entry.getValue());
      }
    }
  }

  void clear() {
    purge(id -> false);
  }

  /**
   * Reads features into the cache before a search needs them. Reads one model after the other, so
   * that a search for one model does not wait until all are read. Stops when the cache is half
   * full.
   */
  void readAhead(Iterator<ModelManifest> models) {
    Sequence.each(
        models,
        (model, next) -> {
          if (!hasRoom()) {
            next.onResponse(null);
            return;
          }
          ModelId id = model.id();
          get(
              id,
              ActionListener.wrap(
                  features -> next.onResponse(null),
                  failure -> {
                    LOGGER.debug("could not preload the features of model [{}]", id, failure);
                    next.onResponse(null);
                  }));
        },
        ActionListener.wrap(() -> {}));
  }
}

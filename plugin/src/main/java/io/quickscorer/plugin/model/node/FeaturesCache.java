// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelFeatures;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.store.ModelStore;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * The features of models, read from the index of models and kept, whether or not the models are
 * compiled on this node. What is kept is charged to the models' breaker, of which it takes a
 * quarter at most; where there is no memory, it is read again each time. Safe for use by several
 * threads.
 */
final class FeaturesCache {
  private static final Logger LOGGER = LogManager.getLogger(FeaturesCache.class);

  /** The share of the models' memory that this cache keeps at most. */
  private static final double SHARE = 0.25;

  /** Entries; the most recently used ones are at the end. */
  private final Map<ModelId, Kept> entries = new LinkedHashMap<>(16, 0.75f, true);

  private final ModelBreaker breaker;
  private final ModelStore store;
  private final Function<ModelId, @Nullable ModelManifest> manifests;
  private final Executor executor;
  private long bytes;

  /** Whether the breaker refused memory for the last entry. */
  private boolean refused;

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
    this.breaker = breaker;
    this.store = store;
    this.manifests = manifests;
    this.executor = executor;
  }

  /** Looks up a version's features; fails with 404 if there is no such version. */
  void get(ModelId id, ActionListener<ModelFeatures> listener) {
    ModelFeatures kept = kept(id);
    if (kept != null) {
      listener.onResponse(kept);
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
              if (manifests.apply(id) == null) {
                // It went while they were read: the purge that came with that has not seen them.
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
    if (size > max || entries.containsKey(id)) {
      return;
    }
    Iterator<Kept> eldest = entries.values().iterator();
    while (bytes > max - size) {
      drop(eldest, eldest.next());
    }
    try {
      // Not by reserve, which would drop what is worth more.
      entries.put(
          id,
          new Kept(
              features,
              MemoryCharge.take(breaker.breaker(), size, "<features of model " + id + ">")));
      bytes += size;
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
   * Returns whether features may be read ahead of searches; half of the cache is reserved for
   * searches.
   */
  private synchronized boolean hasRoom() {
    return !refused && bytes <= maxBytes() / 2;
  }

  /** Drops what an iterator has given last. */
  private void drop(Iterator<?> from, Kept last) {
    from.remove();
    bytes -= last.memory.bytes();
    last.memory.close();
  }

  /** Drops the features of versions that no longer exist. */
  synchronized void purge(Predicate<ModelId> known) {
    Iterator<Map.Entry<ModelId, Kept>> each = entries.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<ModelId, Kept> entry = each.next();
      if (!known.test(entry.getKey())) {
        drop(each, entry.getValue());
      }
    }
  }

  /** Drops all features. */
  void clear() {
    purge(id -> false);
  }

  /**
   * Reads the features of one model after another, so that a search for one model does not wait for
   * all. Stops if the cache has no more room.
   */
  void readAhead(Iterator<ModelManifest> models) {
    while (hasRoom() && models.hasNext()) {
      ModelId id = models.next().id();
      if (kept(id) == null) {
        get(
            id,
            ActionListener.wrap(
                features -> readAhead(models),
                failure -> {
                  LOGGER.debug("could not read the features of model [{}] ahead", id, failure);
                  // Not from here: what fails at once would come back once per model.
                  executor.execute(() -> readAhead(models));
                }));
        return;
      }
    }
  }
}

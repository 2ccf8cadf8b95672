// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.Readiness;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;

/**
 * The models that this node has loaded or is loading. Each version is loaded only once; the number
 * of its current uses is counted. Safe for use by several threads; no listener is called while the
 * lock is held.
 *
 * <p>A version is <em>current</em> while it is in the cluster state. Any other version expires some
 * time after it was last current, or after it was loaded for an upload.
 */
final class ModelRegistry {
  private final Map<ModelId, ModelSlot> slots = new HashMap<>();
  private final LongSupplier clock;
  private final Function<ModelId, WaitingListeners> queues;
  private Set<ModelId> current = Set.of();

  /** The reason why a version of a model is requested. */
  enum Purpose {
    /** The version is the current one of its name in the cluster state. */
    CURRENT,
    /** The version will become current if its upload succeeds. */
    AHEAD,
    /** A search waits for the version, and uses it even if the version is no longer current. */
    PINNED
  }

  /**
   * Creates an empty registry.
   *
   * @param clock a monotonic clock in milliseconds
   * @param queues creates the queue of listeners for a version
   */
  ModelRegistry(LongSupplier clock, Function<ModelId, WaitingListeners> queues) {
    this.clock = clock;
    this.queues = queues;
  }

  /**
   * Requests a version of a model. If the version is not loaded, the listener waits for it.
   *
   * @param purpose the reason for the request
   * @param lifetime the minimum time in milliseconds for which the version stays loaded if it is
   *     not current
   * @param listener called in the caller's thread context when the version is loaded or has failed;
   *     for {@link Purpose#PINNED}, the listener fails after a limited time
   * @return true if the caller must now load the version, and then call {@link #loaded}, {@link
   *     #failed} or {@link #stopped}
   */
  boolean request(
      ModelManifest manifest, Purpose purpose, long lifetime, ActionListener<Void> listener) {
    synchronized (this) {
      ModelSlot slot = slots.get(manifest.id());
      boolean begin = slot == null || slot.hasFailed();
      if (slot == null) {
        slot = new ModelSlot(manifest, queues.apply(manifest.id()));
        slots.put(manifest.id(), slot);
        if (current.contains(manifest.id())) {
          slot.makeCurrent();
        }
      }
      slot.keepUntil(clock.getAsLong() + lifetime);
      if (purpose == Purpose.AHEAD) {
        slot.expect();
      }
      if (!slot.isLoaded()) {
        slot.addListener(manifest, purpose, listener);
        return begin;
      }
    }
    listener.onResponse(null);
    return false;
  }

  /** Records which fraction of a version, 0 to 1, is compiled while the version is being loaded. */
  synchronized void compiled(ModelId id, double share) {
    ModelSlot slot = slots.get(id);
    if (slot != null) {
      slot.compiled(share);
    }
  }

  /** Adds a model that has just been loaded, and calls the listeners that wait for it. */
  void loaded(ModelId id, LoadedModel model) {
    WaitingListeners.Taken waiting = null;
    synchronized (this) {
      ModelSlot slot = slots.get(id);
      if (slot != null) {
        waiting = slot.loaded(model);
      }
    }
    if (waiting == null) {
      model.decRef();
    } else {
      waiting.onResponse();
    }
  }

  /**
   * Returns the manifest (entry in the cluster state) of a version that was stored again after a
   * load of it began. The failed load must be repeated with this manifest. Returns null if the
   * version was not stored again.
   *
   * @param failed the manifest of the failed load
   */
  synchronized @Nullable ModelManifest storedAgain(ModelManifest failed) {
    ModelSlot slot = slots.get(failed.id());
    return slot == null || slot.manifest().upload().equals(failed.upload())
        ? null
        : slot.manifest();
  }

  /**
   * Records that a version's load failed, and calls the listeners that wait for the version.
   *
   * @param forGood true if the load must not be tried again
   * @return the number of failed loads in a row if the version is current; otherwise 0
   */
  int failed(ModelId id, Exception failure, boolean forGood) {
    WaitingListeners.Taken waiting;
    int failures;
    synchronized (this) {
      ModelSlot slot = slots.get(id);
      if (slot == null) {
        return 0;
      }
      waiting = slot.failed(failure, forGood);
      failures = slot.isCurrent() ? slot.failures() : 0;
    }
    waiting.onFailure(failure);
    return failures;
  }

  /**
   * Returns whether the latest load of a version failed.
   *
   * @param failures the number of loads that must have failed in a row
   */
  synchronized boolean hasFailed(ModelId id, int failures) {
    ModelSlot slot = slots.get(id);
    return slot != null && slot.hasFailed() && slot.failures() == failures;
  }

  /**
   * Records that the loading of a version was stopped, because no request needed the version, and
   * calls the waiting listeners with a failure. The version stays in the registry until it expires,
   * because a search that uses it may still arrive. If a request {@linkplain #isWanted needs the
   * version} by now, changes nothing and calls no listener.
   *
   * @return null; if the version is needed again, the manifest with which the caller must load it
   */
  @Nullable ModelManifest stopped(ModelId id) {
    WaitingListeners.Taken waiting;
    Exception failure;
    synchronized (this) {
      ModelSlot slot = slots.get(id);
      if (slot == null) {
        return null;
      }
      if (isWanted(id)) {
        return slot.manifest();
      }
      failure =
          new OpenSearchStatusException(
              "loading of model [{}] was stopped, because the model was deleted or replaced, or"
                  + " the node is closing",
              RestStatus.SERVICE_UNAVAILABLE,
              id);
      waiting = slot.stopped(failure);
    }
    waiting.onFailure(failure);
    return null;
  }

  /**
   * Sets the current versions.
   *
   * @param ids the versions
   * @param retireAfter for versions that are no longer current: the time from now until they
   *     expire, in milliseconds
   */
  synchronized void setCurrent(Set<ModelId> ids, long retireAfter) {
    current = Set.copyOf(ids);
    long retired = clock.getAsLong() + retireAfter;
    slots.forEach(
        (id, slot) -> {
          if (current.contains(id)) {
            slot.makeCurrent();
          } else {
            slot.retire(retired);
          }
        });
  }

  /** Lets a version expire now. Does nothing if the version is current. */
  synchronized void expire(ModelId id) {
    ModelSlot slot = slots.get(id);
    if (slot != null) {
      slot.expireAt(clock.getAsLong());
    }
  }

  /** Removes all loaded versions that are not current. Returns whether there were any. */
  boolean expireRetired() {
    synchronized (this) {
      for (ModelSlot slot : slots.values()) {
        if (slot.isLoaded()) {
          slot.expireAt(clock.getAsLong());
        }
      }
    }
    return purge() > 0;
  }

  /**
   * Removes expired versions, and returns how many of them were loaded. A removed model that is in
   * use stays in memory until its last use.
   */
  int purge() {
    List<LoadedModel> dropped = new ArrayList<>();
    synchronized (this) {
      Iterator<ModelSlot> each = slots.values().iterator();
      while (each.hasNext()) {
        ModelSlot slot = each.next();
        if (slot.mayBeDropped(clock.getAsLong())) {
          each.remove();
          LoadedModel model = slot.model();
          if (model != null) {
            dropped.add(model);
          }
        }
      }
    }
    dropped.forEach(LoadedModel::decRef);
    return dropped.size();
  }

  /** Removes all versions when the node stops, even if listeners wait for them. */
  void close() {
    synchronized (this) {
      slots.values().forEach(ModelSlot::abandon);
    }
    purge();
  }

  synchronized boolean isLoaded(ModelId id) {
    ModelSlot slot = slots.get(id);
    return slot != null && slot.isLoaded();
  }

  /**
   * Returns whether a load is needed: the version is or may become current, or a search waits for
   * it.
   */
  synchronized boolean isWanted(ModelId id) {
    ModelSlot slot = slots.get(id);
    return slot != null && slot.isWanted(clock.getAsLong());
  }

  /** Returns whether a search waits for a version. */
  synchronized boolean isAwaited(ModelId id) {
    ModelSlot slot = slots.get(id);
    return slot != null && slot.isAwaited();
  }

  /** Returns which of these versions are still loading, and which ones have failed. */
  synchronized Readiness readiness(Collection<ModelId> ids) {
    List<Readiness.Loading> loading = new ArrayList<>();
    List<Readiness.Failed> failed = new ArrayList<>();
    for (ModelId id : ids) {
      ModelSlot slot = slots.get(id);
      if (slot == null) {
        loading.add(new Readiness.Loading(id.name(), 0, 0));
      } else if (slot.isGivenUp()) {
        failed.add(new Readiness.Failed(id.name(), slot.reason()));
      } else if (!slot.isLoaded()) {
        loading.add(slot.progress());
      }
    }
    loading.sort(
        Comparator.comparingInt((Readiness.Loading model) -> -model.searches())
            .thenComparing(Readiness.Loading::name));
    failed.sort(Comparator.comparing(Readiness.Failed::name));
    return new Readiness("", ids.size(), loading, failed);
  }

  /**
   * Returns a version's manifest (entry in the cluster state), from the latest request to load the
   * version on this node; null if there was none.
   */
  synchronized @Nullable ModelManifest manifest(ModelId id) {
    ModelSlot slot = slots.get(id);
    return slot == null ? null : slot.manifest();
  }

  /**
   * Returns a reference to a loaded version, which the caller must close.
   *
   * @throws OpenSearchStatusException (503) if the version is not loaded
   */
  synchronized ModelLookup.ModelUse acquire(ModelId id) {
    ModelSlot slot = slots.get(id);
    LoadedModel model = slot == null ? null : slot.model();
    if (model != null) {
      return model.use();
    }
    throw new OpenSearchStatusException(
        "model [{}] is not loaded on this node: {}",
        RestStatus.SERVICE_UNAVAILABLE,
        id,
        slot == null ? "the node has not started to load it" : slot.reason());
  }

  synchronized List<ModelId> loaded() {
    return slots.values().stream()
        .filter(ModelSlot::isLoaded)
        .map(slot -> slot.manifest().id())
        .toList();
  }

  /** Replaces a loaded model by the result of {@code compile}; does nothing if not loaded. */
  void replace(ModelId id, UnaryOperator<LoadedModel> compile) {
    LoadedModel old;
    synchronized (this) {
      ModelSlot slot = slots.get(id);
      old = slot == null ? null : slot.model();
      if (old == null || !old.tryIncRef()) {
        return;
      }
    }
    LoadedModel unwanted = old;
    try {
      LoadedModel compiled = compile.apply(old);
      synchronized (this) {
        ModelSlot slot = slots.get(id);
        if (slot != null && slot.model() == old) {
          slot.replaceModel(compiled);
        } else {
          unwanted = compiled;
        }
      }
      unwanted.decRef();
    } finally {
      old.decRef();
    }
  }

  synchronized List<ModelState> states() {
    return slots.values().stream().map(ModelSlot::state).toList();
  }
}

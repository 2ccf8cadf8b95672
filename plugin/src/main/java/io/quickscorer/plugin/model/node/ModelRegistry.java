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
 * The compiled models of this node: each version is loaded once however many ask for it, and its
 * uses are counted. Safe for use by several threads; never calls out under its lock.
 *
 * <p>A version is <em>current</em> while the cluster state names it. One that is not has a moment
 * at which it expires: some time after it ceased to be current, or after it was loaded ahead of
 * becoming so.
 */
final class ModelRegistry {
  private final Map<ModelId, ModelSlot> slots = new HashMap<>();
  private final LongSupplier clock;
  private final Function<ModelId, WaitingListeners> queues;
  private Set<ModelId> current = Set.of();

  /** The purpose for which a version is requested. */
  enum Purpose {
    /** The version is in the cluster state. */
    CURRENT,
    /** The version will become current. */
    AHEAD,
    /** A caller pinned the version, waits for it, and uses it even if it is no longer current. */
    PINNED
  }

  /**
   * @param clock milliseconds, never running backwards
   * @param queues makes the place where listeners wait for a version
   */
  ModelRegistry(LongSupplier clock, Function<ModelId, WaitingListeners> queues) {
    this.clock = clock;
    this.queues = queues;
  }

  /**
   * Enters a wish for a version to be loaded.
   *
   * @param purpose what keeps it wanted once it is no longer current
   * @param lifetime milliseconds for which it stays if it doesn't become current
   * @param listener answered when it is loaded or has failed, in the caller's thread context; who
   *     pinned a version waits for a limited time
   * @return whether the caller must now load it and report {@link #loaded}, {@link #failed} or
   *     {@link #stopped}
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

  /** Notes what share of a version that is being loaded is compiled. */
  synchronized void compiled(ModelId id, double share) {
    ModelSlot slot = slots.get(id);
    if (slot != null) {
      slot.compiled(share);
    }
  }

  /** Adds a model that the caller of {@link #request} had to load. */
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
   * Returns the manifest of a version that was stored again since its load began: the caller must
   * load it instead of reporting that the load failed.
   *
   * @return null if the failed load was of the latest manifest
   */
  synchronized @Nullable ModelManifest storedAnew(ModelManifest failed) {
    ModelSlot slot = slots.get(failed.id());
    return slot == null || slot.manifest().upload().equals(failed.upload())
        ? null
        : slot.manifest();
  }

  /**
   * Reports that a load failed.
   *
   * @param forGood whether it is not tried again
   * @return how many times in a row, if the version is current and hence must be tried again; else
   *     0
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
   * Reports that a load was stopped because the version {@linkplain #isWanted was not wanted}. It
   * stays in the registry until it expires, for callers that pinned it and need it later.
   *
   * @return the manifest under which the caller must load it again, because it is wanted again;
   *     else null
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
              "the load of model [{}] was stopped: it was deleted or replaced, or the node stops",
              RestStatus.SERVICE_UNAVAILABLE,
              id);
      waiting = slot.stopped(failure);
    }
    waiting.onFailure(failure);
    return null;
  }

  /**
   * Sets the current versions, loaded or not; the others expire after this many milliseconds,
   * unless they expire earlier.
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

  /** Expires a version now, unless it is current. */
  synchronized void expire(ModelId id) {
    ModelSlot slot = slots.get(id);
    if (slot != null) {
      slot.expireAt(clock.getAsLong());
    }
  }

  /** Expires all replaced and deleted versions now; returns whether there were any. */
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

  /** Drops what has expired; models in use stay compiled until their last use is closed. */
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

  /** Drops all versions, even if listeners wait for them, because the node stops. */
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
   * Returns whether work on a version is still useful: it is current, or may become so, or a caller
   * that pinned it waits for it.
   */
  synchronized boolean isWanted(ModelId id) {
    ModelSlot slot = slots.get(id);
    return slot != null && slot.isWanted(clock.getAsLong());
  }

  /** Returns whether a caller that pinned a version waits for it. */
  synchronized boolean isAwaited(ModelId id) {
    ModelSlot slot = slots.get(id);
    return slot != null && slot.isAwaited();
  }

  /** Returns the progress of this node in loading these versions. */
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

  /** Returns the manifest under which a version was or will be loaded here, or null. */
  synchronized @Nullable ModelManifest manifest(ModelId id) {
    ModelSlot slot = slots.get(id);
    return slot == null ? null : slot.manifest();
  }

  /** Counts a use of a loaded version. */
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
        slot == null ? "unknown" : slot.reason());
  }

  /** Returns the loaded versions, for compiling them again. */
  synchronized List<ModelId> loaded() {
    return slots.values().stream()
        .filter(ModelSlot::isLoaded)
        .map(slot -> slot.manifest().id())
        .toList();
  }

  /** Puts another compiled form in the place of a loaded version's. */
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

  /** Returns the state of each version. */
  synchronized List<ModelState> states() {
    return slots.values().stream().map(ModelSlot::state).toList();
  }
}

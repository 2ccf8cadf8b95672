// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelState.Phase;
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
import org.opensearch.ExceptionsHelper;
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
  private static final long CURRENT = Long.MAX_VALUE;

  /** After so many a version is no longer about to be loaded: some seconds. */
  private static final int FAILURES_IN_A_ROW = 3;

  private final Map<ModelId, Slot> slots = new HashMap<>();
  private final LongSupplier clock;
  private final Function<ModelId, WaitingListeners> queues;
  private Set<ModelId> current = Set.of();

  /** What a version is asked for. */
  enum Purpose {
    /** The cluster state names it. */
    CURRENT,
    /** It is to become current. */
    AHEAD,
    /** Somebody pinned it, who waits for it and uses it even if it is no longer current. */
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

  private static final class Slot {
    private ModelManifest manifest;
    private Phase phase = Phase.LOADING;
    private @Nullable LoadedModel compiled;
    private @Nullable Exception failure;
    private final WaitingListeners waiting;

    /** Whether one of those who wait pinned it. */
    private boolean pinned;

    private double compiledShare;
    private long expires;

    /** Whether it was current and is no more, nor about to be again. */
    private boolean retired;

    private int failures;

    Slot(ModelManifest manifest, long expires, WaitingListeners waiting) {
      this.manifest = manifest;
      this.expires = expires;
      this.waiting = waiting;
    }
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
      Slot slot = slots.get(manifest.id());
      boolean begin = slot == null || slot.phase == Phase.FAILED;
      if (slot == null) {
        boolean isCurrent = current.contains(manifest.id());
        slot =
            new Slot(
                manifest,
                isCurrent ? CURRENT : clock.getAsLong() + lifetime,
                queues.apply(manifest.id()));
        slots.put(manifest.id(), slot);
      } else if (slot.expires != CURRENT) {
        slot.expires = Math.max(slot.expires, clock.getAsLong() + lifetime);
      }
      slot.retired &= purpose != Purpose.AHEAD;
      if (slot.phase != Phase.LOADED) {
        slot.pinned |= purpose == Purpose.PINNED;
        slot.compiledShare = begin ? 0 : slot.compiledShare;
        slot.manifest = manifest;
        slot.phase = Phase.LOADING;
        slot.waiting.add(listener, purpose == Purpose.PINNED);
        return begin;
      }
    }
    listener.onResponse(null);
    return false;
  }

  /** Notes what share of a version that is being loaded is compiled. */
  synchronized void compiled(ModelId id, double share) {
    Slot slot = slots.get(id);
    if (slot != null) {
      slot.compiledShare = share;
    }
  }

  /** Takes over a model that {@link #request} made the caller load. */
  void loaded(ModelId id, LoadedModel model) {
    WaitingListeners.Taken waiting = null;
    synchronized (this) {
      Slot slot = slots.get(id);
      if (slot != null) {
        slot.phase = Phase.LOADED;
        slot.compiled = model;
        slot.failure = null;
        slot.failures = 0;
        waiting = take(slot);
      }
    }
    if (waiting == null) {
      model.decRef();
    } else {
      waiting.onResponse();
    }
  }

  /**
   * The manifest under which a version was asked for since its load began, because it is stored
   * anew: the caller must load that one instead of reporting that the load failed.
   *
   * @return null if the load that failed is the latest that was asked for
   */
  synchronized @Nullable ModelManifest storedAnew(ModelManifest failed) {
    Slot slot = slots.get(failed.id());
    return slot == null || slot.manifest.upload().equals(failed.upload()) ? null : slot.manifest;
  }

  /**
   * Reports that a load failed.
   *
   * @return how many times in a row, if the version is current and hence must be tried again; else
   *     0
   */
  int failed(ModelId id, Exception failure) {
    WaitingListeners.Taken waiting;
    int failures;
    synchronized (this) {
      Slot slot = slots.get(id);
      if (slot == null) {
        return 0;
      }
      slot.phase = Phase.FAILED;
      slot.failure = failure;
      slot.failures++;
      failures = slot.expires == CURRENT ? slot.failures : 0;
      waiting = take(slot);
    }
    waiting.onFailure(failure);
    return failures;
  }

  /**
   * Reports that a load was stopped because the version {@linkplain #isWanted was not wanted}. It
   * stays known until it expires, for whoever pinned it and asks for it later.
   *
   * @return the manifest under which the caller must load it anew, because it is wanted again; else
   *     null
   */
  @Nullable ModelManifest stopped(ModelId id) {
    WaitingListeners.Taken waiting;
    Exception failure;
    synchronized (this) {
      Slot slot = slots.get(id);
      if (slot == null) {
        return null;
      }
      if (isWanted(id)) {
        return slot.manifest;
      }
      failure =
          new OpenSearchStatusException(
              "model [{}] was given up while it was loaded: deleted, replaced, or the node stops",
              RestStatus.SERVICE_UNAVAILABLE,
              id);
      slot.phase = Phase.FAILED;
      slot.failure = failure;
      waiting = take(slot);
    }
    waiting.onFailure(failure);
    return null;
  }

  private static WaitingListeners.Taken take(Slot slot) {
    slot.pinned = false;
    return slot.waiting.take();
  }

  /**
   * Makes exactly these versions current, loaded or not; the others expire after that many
   * milliseconds, unless they do so anyway.
   */
  synchronized void setCurrent(Set<ModelId> ids, long retireAfter) {
    current = Set.copyOf(ids);
    long retired = clock.getAsLong() + retireAfter;
    slots.forEach(
        (id, slot) -> {
          if (current.contains(id)) {
            slot.expires = CURRENT;
            slot.retired = false;
          } else if (slot.expires == CURRENT) {
            slot.expires = retired;
            slot.retired = true;
          }
        });
  }

  /** Makes a version that is not current expire now. */
  synchronized void expire(ModelId id) {
    Slot slot = slots.get(id);
    if (slot != null && slot.expires != CURRENT) {
      slot.expires = clock.getAsLong();
    }
  }

  /** Makes all replaced and deleted versions expire now; answers whether there were any. */
  boolean expireRetired() {
    synchronized (this) {
      for (Slot slot : slots.values()) {
        if (slot.expires != CURRENT && slot.phase == Phase.LOADED) {
          slot.expires = clock.getAsLong();
        }
      }
    }
    return purge() > 0;
  }

  /** Drops what has expired; models in use stay compiled until their last use is closed. */
  int purge() {
    List<LoadedModel> dropped = new ArrayList<>();
    synchronized (this) {
      Iterator<Slot> each = slots.values().iterator();
      while (each.hasNext()) {
        Slot slot = each.next();
        if (slot.expires <= clock.getAsLong() && slot.phase != Phase.LOADING) {
          each.remove();
          if (slot.compiled != null) {
            dropped.add(slot.compiled);
          }
        }
      }
    }
    dropped.forEach(LoadedModel::decRef);
    return dropped.size();
  }

  /** Drops everything, whoever waits for it: the node stops. */
  void close() {
    synchronized (this) {
      for (Slot slot : slots.values()) {
        slot.expires = Long.MIN_VALUE;
        slot.pinned = false;
      }
    }
    purge();
  }

  synchronized boolean isLoaded(ModelId id) {
    Slot slot = slots.get(id);
    return slot != null && slot.phase == Phase.LOADED;
  }

  /**
   * Whether work on a version still pays: it is, or may become, current, or somebody who pinned it
   * waits for it.
   */
  synchronized boolean isWanted(ModelId id) {
    Slot slot = slots.get(id);
    return slot != null && (slot.pinned || !slot.retired && slot.expires > clock.getAsLong());
  }

  /** Whether somebody who pinned a version waits for it. */
  synchronized boolean isAwaited(ModelId id) {
    Slot slot = slots.get(id);
    return slot != null && slot.pinned;
  }

  /** How far this node got with exactly these versions. */
  synchronized Readiness readiness(Collection<ModelId> ids) {
    List<Readiness.Loading> loading = new ArrayList<>();
    List<Readiness.Failed> failed = new ArrayList<>();
    for (ModelId id : ids) {
      Slot slot = slots.get(id);
      if (slot == null) {
        loading.add(new Readiness.Loading(id.name(), 0, 0));
      } else if (slot.phase != Phase.LOADED) {
        if (slot.failures < FAILURES_IN_A_ROW) {
          loading.add(new Readiness.Loading(id.name(), slot.compiledShare, slot.waiting.bounded()));
        } else {
          failed.add(new Readiness.Failed(id.name(), reason(slot)));
        }
      }
    }
    loading.sort(
        Comparator.comparingInt((Readiness.Loading model) -> -model.searches())
            .thenComparing(Readiness.Loading::name));
    failed.sort(Comparator.comparing(Readiness.Failed::name));
    return new Readiness("", ids.size(), loading, failed);
  }

  /** The manifest under which a version was or will be loaded here, or null. */
  synchronized @Nullable ModelManifest manifest(ModelId id) {
    Slot slot = slots.get(id);
    return slot == null ? null : slot.manifest;
  }

  /** Counts a use of a loaded version. */
  synchronized ModelLookup.ModelUse acquire(ModelId id) {
    Slot slot = slots.get(id);
    if (slot != null && slot.compiled != null) {
      return slot.compiled.use();
    }
    throw new OpenSearchStatusException(
        "model [{}] is not loaded on this node: {}",
        RestStatus.SERVICE_UNAVAILABLE,
        id,
        slot == null ? "unknown" : reason(slot));
  }

  /** Versions that are loaded, for compiling them anew. */
  synchronized List<ModelId> loaded() {
    return slots.values().stream()
        .filter(slot -> slot.phase == Phase.LOADED)
        .map(slot -> slot.manifest.id())
        .toList();
  }

  /** Puts another compiled form in the place of a loaded version's. */
  void replace(ModelId id, UnaryOperator<LoadedModel> compile) {
    LoadedModel old;
    synchronized (this) {
      Slot slot = slots.get(id);
      if (slot == null || slot.compiled == null || !slot.compiled.tryIncRef()) {
        return;
      }
      old = slot.compiled;
    }
    LoadedModel unwanted = old;
    try {
      LoadedModel compiled = compile.apply(old);
      synchronized (this) {
        Slot slot = slots.get(id);
        boolean same = slot != null && slot.compiled == old;
        if (slot != null && same) {
          slot.compiled = compiled;
        } else {
          unwanted = compiled;
        }
      }
      unwanted.decRef();
    } finally {
      old.decRef();
    }
  }

  private static String reason(Slot slot) {
    return slot.failure == null
        ? "loading"
        : String.valueOf(ExceptionsHelper.unwrapCause(slot.failure).getMessage());
  }

  /** What there is, one entry per version. */
  synchronized List<ModelState> states() {
    List<ModelState> states = new ArrayList<>();
    for (Slot slot : slots.values()) {
      LoadedModel compiled = slot.compiled;
      states.add(
          new ModelState(
              slot.manifest.id(),
              slot.phase,
              slot.compiledShare,
              slot.expires == CURRENT,
              compiled == null ? "" : compiled.model().scorer().engine(),
              compiled == null ? "" : compiled.model().scorer().plans().toString(),
              compiled == null ? 0 : compiled.bytes(),
              compiled == null ? 0 : compiled.refCount() - 1,
              List.of(),
              slot.phase == Phase.FAILED ? reason(slot) : ""));
    }
    return states;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.Readiness;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.core.action.ActionListener;

/**
 * One version of a model in the node's registry: the state of its load, the listeners that wait for
 * it, and the time at which it expires. Times are in milliseconds of the registry's clock. Used
 * only while the registry's lock is held. Methods that end a load return the listeners; the caller
 * must call them after it has released the lock.
 */
final class ModelSlot {
  private static final long NEVER = Long.MAX_VALUE;

  /** Number of failed loads in a row after which the version's state is "failed". */
  private static final int FAILURES_IN_A_ROW = 3;

  private ModelManifest manifest;
  private Phase phase = Phase.LOADING;
  private @Nullable LoadedModel compiled;
  private @Nullable Exception failure;
  private final WaitingListeners waiting;

  /** Whether a search waits for the version, so that it is loaded even if it is not current. */
  private boolean pinned;

  private double compiledShare;

  /** The time at which the version expires; {@link #NEVER} while the version is current. */
  private long expires = Long.MIN_VALUE;

  /** Whether the version was replaced or deleted, and will probably not become current again. */
  private boolean retired;

  private int failures;

  ModelSlot(ModelManifest manifest, WaitingListeners waiting) {
    this.manifest = manifest;
    this.waiting = waiting;
  }

  /** Returns the version's manifest (cluster state's entry) from the latest request to load it. */
  ModelManifest manifest() {
    return manifest;
  }

  boolean isCurrent() {
    return expires == NEVER;
  }

  boolean isLoaded() {
    return phase == Phase.LOADED;
  }

  boolean hasFailed() {
    return phase == Phase.FAILED;
  }

  boolean isAwaited() {
    return pinned;
  }

  /** Returns whether a load is still useful, as {@link ModelRegistry#isWanted} describes. */
  boolean isWanted(long now) {
    return pinned || !retired && expires > now;
  }

  boolean mayBeDropped(long now) {
    return expires <= now && phase != Phase.LOADING;
  }

  /** Sets the time at which the version expires, unless it expires later already. */
  void keepUntil(long time) {
    expires = Math.max(expires, time);
  }

  /** Sets the time at which the version expires, unless the version is current. */
  void expireAt(long time) {
    if (!isCurrent()) {
      expires = time;
    }
  }

  void makeCurrent() {
    expires = NEVER;
    retired = false;
  }

  /** Marks a current version as no longer current, and sets the time at which it expires. */
  void retire(long time) {
    if (isCurrent()) {
      expires = time;
      retired = true;
    }
  }

  /** Lets the version expire now, even if it is current, or if listeners wait for its load. */
  void abandon() {
    expires = Long.MIN_VALUE;
    pinned = false;
  }

  /** Marks the version as one that will become current if its upload succeeds. */
  void expect() {
    retired = false;
  }

  /** Adds a listener that is called when the load of the version ends. */
  void addListener(ModelManifest wanted, Purpose purpose, ActionListener<Void> listener) {
    pinned |= purpose == Purpose.PINNED;
    if (hasFailed()) {
      compiledShare = 0;
    }
    manifest = wanted;
    phase = Phase.LOADING;
    waiting.add(listener, purpose == Purpose.PINNED);
  }

  void compiled(double share) {
    compiledShare = share;
  }

  /** Returns the compiled model, or null if the version is not loaded. */
  @Nullable LoadedModel model() {
    return compiled;
  }

  void replaceModel(LoadedModel model) {
    compiled = model;
  }

  /**
   * Records that the version is loaded.
   *
   * @return the waiting listeners, which the caller must call
   */
  WaitingListeners.Taken loaded(LoadedModel model) {
    phase = Phase.LOADED;
    compiled = model;
    failure = null;
    failures = 0;
    return take();
  }

  /**
   * Records that a load failed.
   *
   * @param forGood true if the load must not be tried again
   * @return the waiting listeners, which the caller must call
   */
  WaitingListeners.Taken failed(Exception reason, boolean forGood) {
    failures = forGood ? Math.max(failures + 1, FAILURES_IN_A_ROW) : failures + 1;
    return stopped(reason);
  }

  /**
   * Records that a load was stopped, which is not a failure.
   *
   * @return the waiting listeners, which the caller must call
   */
  WaitingListeners.Taken stopped(Exception reason) {
    phase = Phase.FAILED;
    failure = reason;
    return take();
  }

  private WaitingListeners.Taken take() {
    pinned = false;
    return waiting.take();
  }

  /** Returns the number of loads that failed in a row. */
  int failures() {
    return failures;
  }

  /** Returns whether so many loads failed in a row that the version is shown as failed. */
  boolean isGivenUp() {
    return failures >= FAILURES_IN_A_ROW;
  }

  /** Returns the reason why the version is not loaded. */
  String reason() {
    return failure == null
        ? "loading"
        : String.valueOf(ExceptionsHelper.unwrapCause(failure).getMessage());
  }

  /** Returns the progress of the load, with the number of searches that wait for it. */
  Readiness.Loading progress() {
    return new Readiness.Loading(manifest.id().name(), compiledShare, waiting.bounded());
  }

  ModelState state() {
    return new ModelState(
        manifest.id(),
        phase,
        compiledShare,
        isCurrent(),
        compiled == null ? "" : compiled.model().scorer().engine(),
        compiled == null ? 0 : compiled.bytes(),
        compiled == null ? 0 : compiled.refCount() - 1,
        List.of(),
        hasFailed() ? reason() : "");
  }
}

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
 * One version in the registry: how far its load got, who waits for it, and when it expires. All
 * times are milliseconds of the registry's clock. Used under the registry's lock alone.
 */
final class ModelSlot {
  private static final long NEVER = Long.MAX_VALUE;

  /** Number of failures after which a version is no longer treated as loading: some seconds. */
  private static final int FAILURES_IN_A_ROW = 3;

  private ModelManifest manifest;
  private Phase phase = Phase.LOADING;
  private @Nullable LoadedModel compiled;
  private @Nullable Exception failure;
  private final WaitingListeners waiting;

  /** Whether a waiting listener pinned the version. */
  private boolean pinned;

  private double compiledShare;

  /** {@link #NEVER} while the version is current. */
  private long expires = Long.MIN_VALUE;

  /** Whether the version was current, and neither is nor will become so again. */
  private boolean retired;

  private int failures;

  ModelSlot(ModelManifest manifest, WaitingListeners waiting) {
    this.manifest = manifest;
    this.waiting = waiting;
  }

  /** Returns the manifest of the latest request for the version. */
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

  /** Returns whether a caller that pinned the version waits for it. */
  boolean isAwaited() {
    return pinned;
  }

  /** Returns whether work on the version is still useful. */
  boolean isWanted(long now) {
    return pinned || !retired && expires > now;
  }

  boolean mayBeDropped(long now) {
    return expires <= now && phase != Phase.LOADING;
  }

  /** Sets how long a version that is not current is kept; an earlier, longer time remains. */
  void keepUntil(long time) {
    expires = Math.max(expires, time);
  }

  /** Sets when the version expires, unless it is current. */
  void expireAt(long time) {
    if (!isCurrent()) {
      expires = time;
    }
  }

  void makeCurrent() {
    expires = NEVER;
    retired = false;
  }

  /** Sets when a version that was current expires; the time of other versions does not change. */
  void retire(long time) {
    if (isCurrent()) {
      expires = time;
      retired = true;
    }
  }

  /** Expires the version now, even if listeners wait for it. */
  void abandon() {
    expires = Long.MIN_VALUE;
    pinned = false;
  }

  /** Marks the version as one that will become current. */
  void expect() {
    retired = false;
  }

  /** Adds a listener to the load in progress, or to the one that begins now. */
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

  /** Returns the compiled model; null unless it is loaded. */
  @Nullable LoadedModel model() {
    return compiled;
  }

  void replaceModel(LoadedModel model) {
    compiled = model;
  }

  /** Returns those to tell, not under the lock. */
  WaitingListeners.Taken loaded(LoadedModel model) {
    phase = Phase.LOADED;
    compiled = model;
    failure = null;
    failures = 0;
    return take();
  }

  /** Returns those to tell, not under the lock. */
  WaitingListeners.Taken failed(Exception reason, boolean forGood) {
    failures = forGood ? Math.max(failures + 1, FAILURES_IN_A_ROW) : failures + 1;
    return stopped(reason);
  }

  /** Ends a load that was stopped; it does not count as a failed load. */
  WaitingListeners.Taken stopped(Exception reason) {
    phase = Phase.FAILED;
    failure = reason;
    return take();
  }

  private WaitingListeners.Taken take() {
    pinned = false;
    return waiting.take();
  }

  /** Returns how many loads failed in a row. */
  int failures() {
    return failures;
  }

  /** Returns whether so many loads failed that the version is no longer treated as loading. */
  boolean isGivenUp() {
    return failures >= FAILURES_IN_A_ROW;
  }

  /** Returns why the version is not loaded. */
  String reason() {
    return failure == null
        ? "loading"
        : String.valueOf(ExceptionsHelper.unwrapCause(failure).getMessage());
  }

  /** Returns the progress of the load. */
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

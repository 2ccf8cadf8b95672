// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;

/**
 * Loads that wait for a free thread. At most as many loads run as there are threads for them, so
 * that their reserved memory is bounded too. One more load can run on its own thread if a search
 * waits for it. The next load is one that a search waits for, then one of an upload, then the
 * others in the given order; it is chosen when a thread is free. Loads that no search waits for
 * also wait for the pause of {@link LoadPace}. Safe for use by several threads.
 */
final class LoadQueue {
  /** The urgency of a load that no search waits for. */
  private static final int AT_LEISURE = 2;

  private final int places;
  private final Executor executor;
  private final Executor urgentExecutor;
  private final BooleanSupplier readable;
  private final Predicate<ModelId> awaited;
  private final Comparator<Load> order;
  private final LoadPace pace;
  private final List<Load> waiting = new ArrayList<>();
  private int running;
  private int resting;
  private boolean urgentRunning;
  private boolean dispatching;
  private boolean closed;

  /**
   * @param places loads at a time
   * @param executor for them
   * @param urgentExecutor for the one more
   * @param readable whether what is stored can be read by now; nothing begins before
   * @param awaited whether a search waits for a version; must not call back
   * @param order of versions that no search waits for
   * @param pace of loads that no search waits for
   */
  LoadQueue(
      int places,
      Executor executor,
      Executor urgentExecutor,
      BooleanSupplier readable,
      Predicate<ModelId> awaited,
      Comparator<ModelManifest> order,
      LoadPace pace) {
    this.places = places;
    this.executor = executor;
    this.urgentExecutor = urgentExecutor;
    this.readable = readable;
    this.awaited = awaited;
    this.order =
        Comparator.<Load>comparingInt(this::urgency).thenComparing(load -> load.manifest, order);
    this.pace = pace;
  }

  private record Load(ModelManifest manifest, Purpose purpose, Consumer<Place> begin) {}

  private int urgency(Load load) {
    return awaited.test(load.manifest.id()) ? 0 : load.purpose == Purpose.AHEAD ? 1 : AT_LEISURE;
  }

  /** The right to load, until it is closed. */
  final class Place implements Releasable {
    private final boolean urgent;
    private final LoadPace.Begun begun = pace.begin();
    private final AtomicBoolean open = new AtomicBoolean(true);

    private Place(boolean urgent) {
      this.urgent = urgent;
    }

    /** Returns the pool for the load. */
    Executor executor() {
      return urgent ? urgentExecutor : executor;
    }

    @Override
    public void close() {
      if (!open.getAndSet(false)) {
        return;
      }
      synchronized (LoadQueue.this) {
        if (urgent) {
          urgentRunning = false;
        } else {
          running--;
          resting++;
        }
      }
      if (!urgent) {
        begun.rest(LoadQueue.this::rested);
      }
      next();
    }
  }

  private void rested() {
    synchronized (this) {
      resting--;
    }
    next();
  }

  /**
   * Enters a load.
   *
   * @param begin starts it, must not throw, and closes the place when the load has ended
   */
  void add(ModelManifest manifest, Purpose purpose, Consumer<Place> begin) {
    synchronized (this) {
      waiting.add(new Load(manifest, purpose, begin));
    }
    next();
  }

  /** Starts the loads that may start; called when a load may have become urgent, or readable. */
  void next() {
    synchronized (this) {
      // Whoever dispatches looks again before it ends.
      if (dispatching) {
        return;
      }
      dispatching = true;
    }
    for (Runnable task = take(); task != null; task = take()) {
      task.run();
    }
  }

  /** Removes and returns the next task, or null if there is none; then no thread dispatches. */
  private synchronized @Nullable Runnable take() {
    Load load = mayBegin() ? waiting.stream().min(order).orElse(null) : null;
    Place place = load == null ? null : place(load);
    if (load != null && place != null) {
      waiting.remove(load);
      return () -> load.begin.accept(place);
    }
    dispatching = false;
    return null;
  }

  private boolean mayBegin() {
    return !closed && !waiting.isEmpty() && readable.getAsBoolean();
  }

  private @Nullable Place place(Load load) {
    int urgency = urgency(load);
    if (running < places && (urgency < AT_LEISURE || running + resting < places)) {
      running++;
      return new Place(false);
    }
    if (!urgentRunning && urgency == 0) {
      urgentRunning = true;
      return new Place(true);
    }
    return null;
  }

  /** Begins nothing more; answers what is waiting. */
  synchronized List<ModelManifest> close() {
    closed = true;
    List<ModelManifest> left = waiting.stream().map(Load::manifest).toList();
    waiting.clear();
    return left;
  }
}

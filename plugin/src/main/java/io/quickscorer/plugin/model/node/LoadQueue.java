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
 * A queue of models that this node must load. A fixed number of models is loaded at the same time,
 * and one more model if a search waits for it. Models for which searches wait come first, then
 * models of uploads. All other models follow in the order that the constructor gets, with the
 * pauses of {@link LoadPace}. Safe for use by several threads.
 */
final class LoadQueue {
  /** The lowest urgency: neither a search nor an upload waits for the model. */
  private static final int NOT_AWAITED = 2;

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
   * Creates an empty queue.
   *
   * @param places the maximum number of models that are loaded at the same time
   * @param executor the threads that load these models
   * @param urgentExecutor the threads that load one more model if a search waits for it
   * @param readable returns whether stored models can be read; before this, no model is loaded
   * @param awaited returns whether a search waits for a version; it must not call this queue
   * @param order the order of versions for which no search waits
   * @param pace delays the loading of models for which no search waits
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
    return awaited.test(load.manifest.id()) ? 0 : load.purpose == Purpose.AHEAD ? 1 : NOT_AWAITED;
  }

  /** The permission to load one model. It must be closed when the loading has ended. */
  final class Place implements Releasable {
    private final boolean urgent;
    private final LoadPace.Begun begun = pace.begin();
    private final AtomicBoolean open = new AtomicBoolean(true);

    private Place(boolean urgent) {
      this.urgent = urgent;
    }

    /** Returns the thread pool on which the model must be loaded. */
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
   * Adds a model to the queue.
   *
   * @param purpose the reason for loading the model, which affects its urgency
   * @param begin starts the loading; it must not throw, and must close its argument when the
   *     loading has ended
   */
  void add(ModelManifest manifest, Purpose purpose, Consumer<Place> begin) {
    synchronized (this) {
      waiting.add(new Load(manifest, purpose, begin));
    }
    next();
  }

  /**
   * Starts to load the models that may be loaded now. Must be called after each event that may
   * allow another model to be loaded.
   */
  void next() {
    synchronized (this) {
      // The thread that is already in the loop below checks the queue again before it returns.
      if (dispatching) {
        return;
      }
      dispatching = true;
    }
    for (Runnable task = take(); task != null; task = take()) {
      task.run();
    }
  }

  /**
   * Removes from the queue a model that may be loaded now, and returns a task that starts to load
   * it; null if there is none.
   */
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
    if (running < places && (urgency < NOT_AWAITED || running + resting < places)) {
      running++;
      return new Place(false);
    }
    if (!urgentRunning && urgency == 0) {
      urgentRunning = true;
      return new Place(true);
    }
    return null;
  }

  /**
   * Closes the queue: from now on, it does not start to load a model.
   *
   * @return the manifests (entries in the cluster state) of the models that were still in the queue
   */
  synchronized List<ModelManifest> close() {
    closed = true;
    List<ModelManifest> left = waiting.stream().map(Load::manifest).toList();
    waiting.clear();
    return left;
  }
}

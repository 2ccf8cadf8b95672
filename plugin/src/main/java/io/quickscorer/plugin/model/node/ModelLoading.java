// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.node.LoadQueue.Place;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.threadpool.ThreadPool;

/**
 * Loads versions of models into this node's registry of models. If memory is short, releases other
 * memory of the plugin first. Loads a version again if it was stored again during the load. Repeats
 * a failed load after a pause, which becomes longer each time. Safe for use by several threads.
 */
final class ModelLoading {
  private static final Logger LOGGER = LogManager.getLogger(ModelLoading.class);
  private static final TimeValue FIRST_RETRY = TimeValue.timeValueSeconds(1);
  private static final TimeValue LAST_RETRY = TimeValue.timeValueMinutes(1);

  private final ThreadPool threadPool;
  private final Executor executor;
  private final ModelRegistry registry;
  private final LoadQueue queue;
  private final LoadMarks marks;
  private final ModelLoader loader;
  private final Consumer<ModelId> onLoaded;
  private final Runnable onDropped;
  private final Runnable forget;
  private final Function<ModelId, @Nullable ModelManifest> needed;
  private volatile boolean closed;

  /**
   * Creates the node's instance.
   *
   * @param onLoaded called when a version was loaded; must be fast
   * @param onDropped called when compiled versions were removed from this node
   * @param forget called when versions may have been removed, to remove their cached features too
   * @param needed returns the manifest of a version that this node must have loaded; null if the
   *     node needs the version only for searches, or not at all
   */
  ModelLoading(
      ThreadPool threadPool,
      ModelRegistry registry,
      LoadQueue queue,
      LoadMarks marks,
      ModelLoader loader,
      Consumer<ModelId> onLoaded,
      Runnable onDropped,
      Runnable forget,
      Function<ModelId, @Nullable ModelManifest> needed) {
    this.threadPool = threadPool;
    this.executor = WorkPool.LOADS.of(threadPool);
    this.registry = registry;
    this.queue = queue;
    this.marks = marks;
    this.loader = loader;
    this.onLoaded = onLoaded;
    this.onDropped = onDropped;
    this.forget = forget;
    this.needed = needed;
  }

  /**
   * Loads a version, and calls the listener when it is compiled or has failed.
   *
   * @param purpose the reason for the load
   * @param lifetime the minimum time for which the version stays loaded if it is not current
   */
  void load(
      ModelManifest manifest, Purpose purpose, TimeValue lifetime, ActionListener<Void> listener) {
    if (closed) {
      listener.onFailure(new OpenSearchRejectedExecutionException("node is closing", true));
      return;
    }
    if (purpose == Purpose.AHEAD) {
      marks.retry(manifest.id());
    }
    boolean begin = registry.request(manifest, purpose, lifetime.millis(), listener);
    // The load runs without the context of the request that happens to be the first to need it.
    try (ThreadContext.StoredContext ignored = threadPool.getThreadContext().stashContext();
        StepLimit _ = StepLimit.ofNode()) {
      if (begin) {
        queue.add(manifest, purpose, place -> begin(manifest, true, place));
      } else if (purpose == Purpose.PINNED) {
        queue.next();
      }
      if (purpose != Purpose.CURRENT) {
        schedulePurge(lifetime);
      }
    }
  }

  /**
   * Starts to load a version. Closes {@code place} when the loading has ended or failed.
   *
   * @param mayEvict whether other versions may be removed if memory is short
   */
  private void begin(ModelManifest manifest, boolean mayEvict, Place place) {
    if (!registry.isWanted(manifest.id())) {
      stopped(manifest.id(), place);
      return;
    }
    Exception refusal = marks.refusal(manifest.id());
    if (refusal != null) {
      failed(manifest, refusal, place);
      return;
    }
    Releasable mark = marks.begin(manifest.id(), "its load");
    loader.load(
        manifest,
        place.executor(),
        share -> registry.compiled(manifest.id(), share),
        () -> !registry.isWanted(manifest.id()),
        ActionListener.wrap(
            model -> {
              mark.close();
              marks.loaded(manifest.id());
              registry.loaded(manifest.id(), model);
              LOGGER.info(
                  "loaded model [{}]: engine {}, {} bytes",
                  manifest.id(),
                  model.model().scorer().engine(),
                  model.bytes());
              purge();
              onLoaded.accept(manifest.id());
              place.close();
            },
            failure -> {
              mark.close();
              if (failure instanceof CancellationException) {
                stopped(manifest.id(), place);
                return;
              }
              boolean memory =
                  ExceptionsHelper.unwrap(failure, CircuitBreakingException.class) != null;
              if (memory && mayEvict && registry.expireRetired()) {
                onDropped.run();
                forget.run();
                begin(manifest, false, place);
              } else {
                failed(manifest, failure, place);
              }
            }));
  }

  private void stopped(ModelId id, Place place) {
    ModelManifest again = registry.stopped(id);
    if (again == null) {
      LOGGER.debug("model [{}] was dropped before it was loaded", id);
      purge();
      place.close();
    } else {
      begin(again, true, place);
    }
  }

  private void failed(ModelManifest manifest, Exception failure, Place place) {
    ModelManifest newer = registry.storedAgain(manifest);
    if (newer != null) {
      begin(newer, true, place);
      return;
    }
    marks.failed(manifest.id(), failure);
    Exception refusal = marks.refusal(manifest.id());
    int failures =
        registry.failed(manifest.id(), refusal == null ? failure : refusal, refusal != null);
    purge();
    place.close();
    if (failures == 0 || refusal != null || closed) {
      return;
    }
    long delay = Math.min(FIRST_RETRY.millis() << Math.min(failures - 1, 16), LAST_RETRY.millis());
    LOGGER.warn(
        "could not load model [{}], trying again in {} ms: {}",
        manifest.id(),
        delay,
        ExceptionsHelper.unwrapCause(failure).toString());
    LOGGER.debug("could not load model [" + manifest.id() + "]", failure);
    ModelId id = manifest.id();
    TimeValue pause = TimeValue.timeValueMillis(delay);
    schedule(() -> tryAgain(id, failures), pause);
  }

  /** Loads a version again, if it is still needed and no other load of it was tried meanwhile. */
  private void tryAgain(ModelId id, int failures) {
    ModelManifest manifest = needed.apply(id);
    if (manifest != null && registry.hasFailed(id, failures)) {
      load(
          manifest,
          Purpose.CURRENT,
          TimeValue.ZERO,
          ActionListener.wrap(loaded -> {}, failure -> {}));
      queue.next();
    }
  }

  private void schedule(Runnable task, TimeValue delay) {
    try {
      // Not on the pool for loads, because its queue is bounded and a rejected task would be lost.
      Guard.schedule(threadPool, task, delay);
    } catch (OpenSearchRejectedExecutionException e) {
      LOGGER.debug("no further attempt to load models, because the node is closing", e);
    }
  }

  /** Removes the expired versions from the registry. */
  void purge() {
    if (registry.purge() > 0) {
      onDropped.run();
    }
    forget.run();
  }

  /**
   * Schedules {@link #purge} for the time when a version that is loaded now will expire.
   *
   * @param lifetime the time until the version expires
   */
  void schedulePurge(TimeValue lifetime) {
    // One millisecond later, so that versions with exactly this lifetime have expired.
    schedule(this::purge, TimeValue.timeValueMillis(lifetime.millis() + 1));
  }

  /** Runs a task on the thread pool that reads and compiles models. */
  void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (OpenSearchRejectedExecutionException e) {
      // The pool's queue may be full; then the task runs later.
      schedule(() -> execute(task), FIRST_RETRY);
    }
  }

  void close() {
    closed = true;
    marks.close();
    for (ModelManifest manifest : queue.close()) {
      registry.failed(
          manifest.id(), new OpenSearchRejectedExecutionException("node is closing", true), false);
    }
  }
}

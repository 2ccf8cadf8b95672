// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.papers.plan.BatchPlans;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;

/**
 * Looks for faster plans for loaded models, one model at a time, behind all other work of the pool:
 * after each model it queues up again. Safe for use by several threads.
 */
final class ModelPlanner {
  private static final Logger LOGGER = LogManager.getLogger(ModelPlanner.class);

  private final Executor executor;
  private final ModelRegistry registry;
  private final ModelSettings settings;
  private final Queue<ModelId> waiting = new ArrayDeque<>();
  private boolean running;
  private volatile boolean closed;

  /**
   * @param executor runs a task when nothing else is to be done; never rejects one
   */
  ModelPlanner(Executor executor, ModelRegistry registry, ModelSettings settings) {
    this.executor = executor;
    this.registry = registry;
    this.settings = settings;
  }

  /** Enters a loaded model, which has the plans guessed from its shape meanwhile. */
  void submit(ModelId id) {
    synchronized (this) {
      if (closed || waiting.contains(id)) {
        return;
      }
      waiting.add(id);
      if (running) {
        return;
      }
      running = true;
    }
    executor.execute(this::planNext);
  }

  private void planNext() {
    ModelId id = next();
    if (id == null) {
      return;
    }
    try {
      plan(id);
    } finally {
      executor.execute(this::planNext);
    }
  }

  private synchronized @Nullable ModelId next() {
    ModelId id = waiting.poll();
    running = id != null;
    return id;
  }

  private void plan(ModelId id) {
    try (ModelLookup.ModelUse use = registry.acquire(id)) {
      EnsembleScorer scorer = use.model().scorer();
      BatchPlans before = scorer.plans();
      long nanos = settings.get(ModelSettings.PLAN_BUDGET).nanos();
      if (nanos > 0) {
        scorer.plan(Budget.of(nanos, () -> closed || !registry.isWanted(id)));
      }
      if (!before.equals(scorer.plans())) {
        LOGGER.info("model [{}] now has plan [{}]", id, scorer.plans());
      }
    } catch (OpenSearchStatusException e) {
      LOGGER.debug("model [{}] went before its plans were found", id);
    }
  }

  /** Stops the search under way. */
  void close() {
    closed = true;
  }
}

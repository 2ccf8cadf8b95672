// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import java.util.concurrent.CancellationException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * Replaces the engine (scoring algorithm) of loaded models, if the setting has changed or an engine
 * computed wrong scores. Safe for use by several threads.
 *
 * @param onDropped called after a model's engine was replaced
 */
record EngineReplacement(
    ModelRegistry registry,
    ModelLoader loader,
    ModelLoading loading,
    Quarantine quarantine,
    Runnable onDropped) {
  private static final Logger LOGGER = LogManager.getLogger(EngineReplacement.class);

  /**
   * Stops using an engine (scoring algorithm) for a model, because it computed wrong scores. The
   * reference engine, the simplest one, replaces it immediately. Then the next best engine is
   * compiled in the background.
   */
  void quarantine(ModelId id, Algorithm engine) {
    quarantine.add(id, engine);
    if (scoresBy(id, engine)) {
      replace(id);
    }
    onDropped.run();
  }

  private void replace(ModelId id) {
    registry.replace(id, loader::withReference);
    loading.execute(() -> recompile(id));
  }

  /**
   * Replaces the engine (scoring algorithm) of a version that was just compiled, if wrong scores of
   * this engine were found in the meantime. The reference engine is never replaced, because it is
   * used only if no other engine is left.
   */
  void compiled(ModelId id) {
    if (quarantine.of(id).stream()
        .anyMatch(engine -> engine != Algorithm.OBJECT && scoresBy(id, engine))) {
      replace(id);
    }
  }

  private boolean scoresBy(ModelId id, Algorithm engine) {
    try (ModelLookup.ModelUse use = registry.acquire(id)) {
      return use.model().scorer().uses(engine);
    } catch (OpenSearchStatusException e) {
      return false;
    }
  }

  /** Compiles all loaded models again in the background, for the engine in the settings. */
  void recompileAll() {
    loading.execute(() -> registry.loaded().forEach(this::recompile));
  }

  private void recompile(ModelId id) {
    try {
      registry.replace(id, old -> loader.recompile(old, () -> !registry.isWanted(id)));
      compiled(id);
      onDropped.run();
    } catch (CancellationException e) {
      LOGGER.debug("model [{}] was dropped before its new engine was ready", id);
    } catch (IllegalArgumentException | CircuitBreakingException e) {
      LOGGER.warn("model [{}] keeps its current engine: no other engine could be compiled", id, e);
    }
  }
}

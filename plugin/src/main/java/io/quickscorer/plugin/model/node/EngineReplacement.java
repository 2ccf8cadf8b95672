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
 * Replaces the engine (scoring algorithm) of loaded models after the setting was changed, or after
 * an engine was quarantined because of wrong scores. Safe for use by several threads.
 *
 * @param onDropped called after the engine of a model was replaced or quarantined
 */
record EngineReplacement(
    ModelRegistry registry,
    ModelLoader loader,
    ModelLoading loading,
    Quarantine quarantine,
    Runnable onDropped) {
  private static final Logger LOGGER = LogManager.getLogger(EngineReplacement.class);

  /**
   * Stops using an engine for a model. The reference engine (the one that verifies others) replaces
   * it immediately; the next best engine is compiled in the background.
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
   * Replaces the engine of a new version if the engine was quarantined meanwhile. The reference
   * engine is kept, because it is used only if no other engine is left.
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

  /** Compiles all loaded models again, in the background. */
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
      LOGGER.warn("model [{}] keeps its engine: no other one could be compiled", id, e);
    }
  }
}

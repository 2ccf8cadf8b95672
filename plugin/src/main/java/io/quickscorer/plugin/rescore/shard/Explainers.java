// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.explain.Explainer;
import io.quickscorer.plugin.model.DerivedCache;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The data for explaining a model's scores, for the last few models that were explained on this
 * node. Safe for use by several threads.
 */
public final class Explainers {
  /** Fractions, edges and paths of a node of a tree. */
  private static final long BYTES_PER_SPLIT = 48;

  private final DerivedCache<ModelId, Explainer> compiled;

  public Explainers(Supplier<ModelBreaker> breaker, Predicate<ModelId> live) {
    compiled = new DerivedCache<>(breaker, live, Explainer::bytes, explainer -> {});
  }

  /**
   * @throws io.quickscorer.explain.UnexplainableException if the model's file has no covers
   */
  <R> R with(CompiledModel model, Function<Explainer, R> body) {
    return compiled.use(
        model.id(),
        model.scorer().ensemble().shape().splits() * BYTES_PER_SPLIT,
        () -> Explainer.compile(model.scorer().ensemble()),
        body);
  }

  /** Drops what was derived from models that are gone. */
  public void purge() {
    compiled.purge();
  }

  public void clear() {
    compiled.clear();
  }
}

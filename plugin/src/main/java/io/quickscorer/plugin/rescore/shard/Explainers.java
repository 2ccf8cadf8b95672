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
 * A cache of the data that is needed to explain the scores of a model, for the last few models.
 * Safe for use by several threads.
 */
public final class Explainers {
  /** Estimated number of bytes of an explainer's data for each split of the model. */
  private static final long BYTES_PER_SPLIT = 48;

  private final DerivedCache<ModelId, Explainer> compiled;

  public Explainers(Supplier<ModelBreaker> breaker, Predicate<ModelId> live) {
    compiled = new DerivedCache<>(breaker, live, Explainer::bytes, explainer -> {});
  }

  /**
   * Calls a function with an explainer of a model's scores.
   *
   * @throws io.quickscorer.explain.UnexplainableException if the model's file has no covers (the
   *     number of training rows per node)
   */
  <R> R with(CompiledModel model, Function<Explainer, R> body) {
    return compiled.use(
        model.id(),
        model.scorer().ensemble().shape().splits() * BYTES_PER_SPLIT,
        () -> Explainer.compile(model.scorer().ensemble()),
        body);
  }

  /** Drops the cached data of models that are no longer on the node. */
  public void purge() {
    compiled.purge();
  }

  public void clear() {
    compiled.clear();
  }
}

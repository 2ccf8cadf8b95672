// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.DerivedCache;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * Computes the scores of samples by the reference engine (the simplest scoring algorithm) and by
 * independent engines. Caches the models that were last compiled for the reference engine. Safe for
 * use by several threads.
 */
final class References {
  /** Upper bound of the heap bytes per tree node of a compiled model. */
  private static final long BYTES_PER_NODE = 32;

  private final ModelBreaker breaker;
  private final DerivedCache<ModelId, EnsembleScorer> compiled;

  /**
   * Creates an empty cache.
   *
   * @param breaker limits the memory of the cache
   * @param live returns whether a version of a model is still on this node
   */
  References(ModelBreaker breaker, Predicate<ModelId> live) {
    this.breaker = breaker;
    this.compiled =
        new DerivedCache<>(() -> breaker, live, EnsembleScorer::bytes, EnsembleScorer::close);
  }

  /**
   * Computes the scores of a sample by the reference engine, the simplest scoring algorithm.
   *
   * @throws CircuitBreakingException if there is not enough memory
   */
  double[] score(CompiledModel model, Sample sample) {
    TreeEnsemble ensemble = model.scorer().ensemble();
    return compiled.use(
        model.id(),
        bytes(ensemble),
        () -> ScorerCompiler.compile(ensemble, Algorithm.OBJECT),
        sample::scoredBy);
  }

  /**
   * Computes the scores of a sample by an independent engine (scoring algorithm): one that shares
   * no code with the reference engine and with the engine of the sample. Returns null if there is
   * no such engine, or if memory is short.
   */
  @Nullable Answer independent(CompiledModel model, Sample sample) {
    TreeEnsemble ensemble = model.scorer().ensemble();
    Algorithm other = ScorerCompiler.independent(ensemble, sample.engine());
    if (other == null) {
      return null;
    }
    try (MemoryCharge ignored =
        MemoryCharge.take(
            breaker.breaker(), bytes(ensemble), "<independent check of a model's scores>")) {
      return new Answer(other, sample.scoredBy(ScorerCompiler.compile(ensemble, other)));
    } catch (CircuitBreakingException e) {
      return null;
    }
  }

  /** The scores of a sample, and the engine (scoring algorithm) that computed them. */
  @SuppressWarnings("ArrayRecordComponent") // these records are never compared
  record Answer(Algorithm engine, double[] scores) {}

  private static long bytes(TreeEnsemble ensemble) {
    EnsembleShape shape = ensemble.shape();
    return (shape.splits() + shape.leaves()) * BYTES_PER_NODE;
  }

  /** Removes the cached data of models that no longer exist. */
  void purge() {
    compiled.purge();
  }

  void clear() {
    compiled.clear();
  }
}

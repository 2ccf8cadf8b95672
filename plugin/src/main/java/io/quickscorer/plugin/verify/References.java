// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.DerivedCache;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * Models compiled for the reference, the last few of them, and for an engine that shares no code
 * with it. Safe for use by several threads.
 */
final class References {
  /** More than a node of the reference's trees takes, or one of flat arrays. */
  private static final long BYTES_PER_NODE = 32;

  private final ModelBreaker breaker;
  private final DerivedCache<ModelId, EnsembleScorer> compiled;

  /**
   * @param live whether a version is still on this node
   */
  References(ModelBreaker breaker, Predicate<ModelId> live) {
    this.breaker = breaker;
    this.compiled =
        new DerivedCache<>(() -> breaker, live, EnsembleScorer::bytes, EnsembleScorer::close);
  }

  /**
   * Returns the reference's scores.
   *
   * @throws CircuitBreakingException if there is no memory for it
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
   * Returns the scores of an engine that shares no code with the reference or the engine in
   * question; null if there is none.
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

  /** The scores of an engine. */
  @SuppressWarnings("ArrayRecordComponent") // never compared: the array is the point
  record Answer(Algorithm engine, double[] scores) {}

  private static long bytes(TreeEnsemble ensemble) {
    EnsembleShape shape = ensemble.shape();
    return (shape.splits() + shape.leaves()) * BYTES_PER_NODE;
  }

  /** Drops the references of models that no longer exist. */
  void purge() {
    compiled.purge();
  }

  void clear() {
    compiled.clear();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.plugin.model.DerivedCache;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Models compiled for an algorithm that a request names, for comparing engines: the last few of
 * them on this node. Safe for use by several threads.
 */
public final class Engines {
  private final DerivedCache<Key, EnsembleScorer> compiled;

  private final IdleBuffers buffers;
  private final Supplier<ModelLookup> models;

  /**
   * @param wrong the engines that it must not have, which is another thing once there are more
   */
  private record Key(ModelId model, Algorithm algorithm, Set<Algorithm> wrong) {}

  public Engines(Supplier<ModelBreaker> breaker, Supplier<ModelLookup> models) {
    this.models = models;
    compiled = new DerivedCache<>(breaker, this::isLive, EnsembleScorer::bytes, this::close);
    buffers = new IdleBuffers(breaker, id -> models.get().isLoaded(id), this::scores);
  }

  /** Closes an engine; called after its last window has returned its buffers. */
  private void close(EnsembleScorer scorer) {
    buffers.purge();
    scorer.close();
  }

  private boolean scores(ModelId id, EnsembleScorer scorer) {
    return models.get().isScoredBy(id, scorer) || compiled.keeps(scorer);
  }

  /** Returns the buffers that windows can reuse. */
  IdleBuffers buffers() {
    return buffers;
  }

  private boolean isLive(Key key) {
    ModelLookup lookup = models.get();
    return lookup.isLoaded(key.model) && lookup.quarantined(key.model).equals(key.wrong);
  }

  /**
   * Uses the model's own scorer if it is what a clause asks for, else one compiled for it.
   *
   * @throws IllegalArgumentException (400) if the algorithm does not fit, or scored the model wrong
   *     on this node
   */
  <R> R with(CompiledModel model, ClauseOptions options, Function<EnsembleScorer, R> body) {
    EnsembleScorer own = model.scorer();
    if (options.usesOwnEngine()) {
      return body.apply(own);
    }
    Algorithm algorithm = options.algorithm();
    Set<Algorithm> wrong = models.get().quarantined(model.id());
    check(model.id(), algorithm, wrong);
    if (algorithm == own.algorithm()) {
      return body.apply(own);
    }
    return compiled.use(
        new Key(model.id(), algorithm, wrong),
        own.bytes(),
        () -> ScorerCompiler.compile(own.ensemble(), algorithm, wrong, CompileProgress.NONE),
        body);
  }

  private static void check(ModelId id, Algorithm asked, Set<Algorithm> wrong) {
    if (wrong.contains(asked)) {
      throw new IllegalArgumentException(
          "algorithm ["
              + asked
              + "] is quarantined for model ["
              + id
              + "] on this node until the node stops, because it gave a wrong score: see the node's"
              + " log");
    }
  }

  /** Compiles a model for what a clause asks for, unless it is. */
  public void prepare(CompiledModel model, ClauseOptions options) {
    with(model, options, EnsembleScorer::engine);
  }

  /** Drops what was derived from models that are gone, or has an engine that is. */
  public void purge() {
    compiled.purge();
    buffers.purge();
  }

  public void clear() {
    compiled.clear();
    buffers.clear();
  }
}

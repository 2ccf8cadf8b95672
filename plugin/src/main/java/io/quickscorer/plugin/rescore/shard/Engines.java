// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.explain.Explainer;
import io.quickscorer.plugin.model.DerivedCache;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Caches compiled models and explainers. The models are compiled for engines (algorithms) that
 * requests name; an explainer is the data that explains a model's scores. The last few of each are
 * cached. Safe for use by several threads.
 */
public final class Engines {
  /** Estimated bytes of an explainer for each split (inner node) of its model. */
  private static final long BYTES_PER_SPLIT = 48;

  private final DerivedCache<Key, EnsembleScorer> compiled;
  private final DerivedCache<ModelId, Explainer> explainers;
  private final IdleBuffers buffers;
  private final Supplier<ModelLookup> models;

  /**
   * The key of a compiled model in the cache.
   *
   * @param wrong the model's engines that are quarantined because they computed a wrong score; the
   *     model is compiled without them
   */
  private record Key(ModelId model, Algorithm algorithm, Set<Algorithm> wrong) {}

  public Engines(Supplier<ModelBreaker> breaker, Supplier<ModelLookup> models) {
    this.models = models;
    compiled = new DerivedCache<>(breaker, this::isLive, EnsembleScorer::bytes, this::close);
    Predicate<ModelId> isLoaded = id -> models.get().isLoaded(id);
    explainers = new DerivedCache<>(breaker, isLoaded, Explainer::bytes, explainer -> {});
    buffers = new IdleBuffers(breaker, isLoaded, this::scores);
  }

  /** Closes a compiled model, and removes its buffers from the pool. */
  private void close(EnsembleScorer scorer) {
    buffers.purge();
    scorer.close();
  }

  private boolean scores(ModelId id, EnsembleScorer scorer) {
    return models.get().isScoredBy(id, scorer) || compiled.keeps(scorer);
  }

  /** Returns the pool of buffers in which scores are computed. */
  IdleBuffers buffers() {
    return buffers;
  }

  private boolean isLive(Key key) {
    ModelLookup lookup = models.get();
    return lookup.isLoaded(key.model) && lookup.quarantined(key.model).equals(key.wrong);
  }

  /**
   * Calls a function with the object that computes a model's scores, by the engine (algorithm) that
   * the clause names, or else by the node's default.
   *
   * @throws IllegalArgumentException (400) if the named engine does not support the model, or is
   *     quarantined because it computed a wrong score
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

  /** Compiles a model for the engine that a clause names, unless it is cached already. */
  public void prepare(CompiledModel model, ClauseOptions options) {
    with(model, options, EnsembleScorer::engine);
  }

  /**
   * Calls a function with an object that explains a model's scores.
   *
   * @throws io.quickscorer.explain.UnexplainableException if the model's file does not contain the
   *     number of training rows that reached each tree node (its "cover")
   */
  <R> R explain(CompiledModel model, Function<Explainer, R> body) {
    return explainers.use(
        model.id(),
        model.scorer().ensemble().shape().splits() * BYTES_PER_SPLIT,
        () -> Explainer.compile(model.scorer().ensemble()),
        body);
  }

  /**
   * Removes the data of models that are no longer on the node, or that have a newly quarantined
   * engine.
   */
  public void purge() {
    compiled.purge();
    explainers.purge();
    buffers.purge();
  }

  public void clear() {
    compiled.clear();
    explainers.clear();
    buffers.clear();
  }
}

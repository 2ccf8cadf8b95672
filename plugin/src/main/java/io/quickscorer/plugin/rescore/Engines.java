package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.model.LoadedModel;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerCompiler;
import io.quickscorer.scorer.plan.BatchPlans;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Models compiled for an algorithm or plan that a request names, for comparing engines: the last
 * few of them on this node. Safe for use by several threads.
 */
final class Engines {
  private final DerivedCache<Key, EnsembleScorer> compiled;

  private record Key(ModelId model, Algorithm algorithm, @Nullable BatchPlans plan) {}

  Engines(Supplier<ModelBreaker> breaker, Predicate<ModelId> live) {
    compiled =
        new DerivedCache<>(
            breaker, key -> live.test(key.model), EnsembleScorer::bytes, EnsembleScorer::close);
  }

  /**
   * Uses the model's own scorer if it is what a clause asks for, else one compiled for it.
   *
   * @throws IllegalArgumentException (400) if the algorithm does not fit or has no such plan
   */
  <R> R with(LoadedModel model, ClauseOptions options, Function<EnsembleScorer, R> body) {
    EnsembleScorer own = model.scorer();
    Algorithm algorithm = options.algorithm();
    BatchPlans plan = options.plan();
    if (options.usesOwnEngine() || (plan == null && algorithm == own.algorithm())) {
      return body.apply(own);
    }
    return compiled.use(
        new Key(model.id(), algorithm, plan),
        own.bytes(),
        () ->
            plan == null
                ? ScorerCompiler.compile(own.ensemble(), algorithm)
                : ScorerCompiler.compile(own.ensemble(), plan),
        body);
  }

  /** Compiles a model for what a clause asks for, unless it is. */
  void prepare(LoadedModel model, ClauseOptions options) {
    with(model, options, EnsembleScorer::engine);
  }

  /** Drops what was derived from models that are gone. */
  void purge() {
    compiled.purge();
  }

  void clear() {
    compiled.clear();
  }
}

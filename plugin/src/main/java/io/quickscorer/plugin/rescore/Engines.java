package io.quickscorer.plugin.rescore;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.model.LoadedModel;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerCompiler;
import io.quickscorer.scorer.plan.BatchPlans;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Models compiled for an algorithm or plan that a request names, for comparing engines: the last
 * few of them on this node. Safe for use by several threads.
 */
final class Engines {
  private static final int MOST = 8;

  private final Map<Key, EnsembleScorer> compiled = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(ModelId model, Algorithm algorithm, @Nullable BatchPlans plan) {}

  /**
   * The model's own scorer if it is what a clause asks for, else one compiled for it.
   *
   * @throws IllegalArgumentException (400) if the algorithm does not fit or has no such plan
   */
  EnsembleScorer scorer(LoadedModel model, ClauseOptions options) {
    Algorithm algorithm = options.algorithm();
    BatchPlans plan = options.plan();
    boolean own = plan == null && algorithm == model.scorer().algorithm();
    if (own || options.usesOwnEngine()) {
      return model.scorer();
    }
    Key key = new Key(model.id(), algorithm, plan);
    synchronized (compiled) {
      EnsembleScorer known = compiled.get(key);
      if (known != null) {
        return known;
      }
    }
    TreeEnsemble ensemble = model.scorer().ensemble();
    EnsembleScorer scorer =
        plan == null
            ? ScorerCompiler.compile(ensemble, algorithm)
            : ScorerCompiler.compile(ensemble, plan);
    synchronized (compiled) {
      compiled.put(key, scorer);
      if (compiled.size() > MOST) {
        compiled.remove(compiled.keySet().iterator().next());
      }
    }
    return scorer;
  }
}

package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.model.LoadedModel;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerCompiler;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Models compiled for an algorithm that a request names, for comparing engines: the last few of
 * them on this node. Safe for use by several threads.
 */
final class Engines {
  private static final int MOST = 8;

  private final Map<Key, EnsembleScorer> compiled = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(ModelId model, Algorithm algorithm) {}

  /**
   * The model's own scorer if it is of that algorithm, else one compiled for it.
   *
   * @throws io.quickscorer.scorer.UnsupportedEnsembleException if the algorithm does not fit
   */
  EnsembleScorer scorer(LoadedModel model, Algorithm algorithm) {
    if (algorithm == Algorithm.AUTO || algorithm == model.scorer().algorithm()) {
      return model.scorer();
    }
    Key key = new Key(model.id(), algorithm);
    synchronized (compiled) {
      EnsembleScorer known = compiled.get(key);
      if (known != null) {
        return known;
      }
    }
    EnsembleScorer scorer = ScorerCompiler.compile(model.scorer().ensemble(), algorithm);
    synchronized (compiled) {
      compiled.put(key, scorer);
      if (compiled.size() > MOST) {
        compiled.remove(compiled.keySet().iterator().next());
      }
    }
    return scorer;
  }
}

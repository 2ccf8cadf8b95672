package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.traversal.ReferenceScorer;

/** Compiles an ensemble for an algorithm. Stateless. */
public final class ScorerCompiler {
  private ScorerCompiler() {}

  /**
   * @throws UnsupportedEnsembleException if a named algorithm cannot take the ensemble or is not
   *     available in this JVM; {@link Algorithm#AUTO} always succeeds
   */
  public static EnsembleScorer compile(TreeEnsemble ensemble, Algorithm algorithm) {
    return switch (algorithm) {
      case AUTO, OBJECT -> ReferenceScorer.compile(ensemble);
      default -> throw new UnsupportedEnsembleException(algorithm + ": not available");
    };
  }
}

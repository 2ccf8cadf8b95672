package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;

/**
 * Service interface through which another module adds a scorer; found by {@link
 * java.util.ServiceLoader}.
 *
 * <p>An implementation must be loadable where its hardware or libraries are missing, and say so by
 * {@link #unavailable()}.
 */
public interface ScorerProvider {
  /** The algorithm this provider compiles for. */
  Algorithm algorithm();

  /** Why the algorithm cannot be used in this JVM; empty if it can. */
  String unavailable();

  /**
   * @throws UnsupportedEnsembleException if the algorithm cannot take the ensemble
   */
  EnsembleScorer compile(TreeEnsemble ensemble);

  /**
   * A scorer that takes each call to this provider's hardware where that is faster, and to the
   * given one otherwise; the given one itself where it never is.
   *
   * @param cpu closed with the result
   */
  default EnsembleScorer accelerate(EnsembleScorer cpu) {
    return cpu;
  }

  /**
   * The devices found so far, which this does not look for. Of several providers for the same
   * devices one tells.
   */
  default Accelerators accelerators() {
    return Accelerators.NONE;
  }
}

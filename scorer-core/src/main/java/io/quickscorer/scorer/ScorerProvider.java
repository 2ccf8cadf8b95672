// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;
import java.util.Set;
import java.util.concurrent.CancellationException;

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
   * @param excluded engines that must not score the ensemble on the CPU either
   * @param progress told about once per tree; the end is the caller's to tell
   * @throws UnsupportedEnsembleException if the algorithm cannot take the ensemble
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     nothing is held on the hardware then
   */
  EnsembleScorer compile(TreeEnsemble ensemble, Set<Algorithm> excluded, CompileProgress progress);

  /**
   * A scorer that takes each call to this provider's hardware where that is faster, and to the
   * given one otherwise; the given one itself where it never is.
   *
   * @param cpu closed with the result
   * @param progress of what is compiled besides; as in {@link #compile}
   * @throws CancellationException as {@link #compile} does
   */
  default EnsembleScorer accelerate(EnsembleScorer cpu, CompileProgress progress) {
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

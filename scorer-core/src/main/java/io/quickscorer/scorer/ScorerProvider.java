// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Service interface through which another module adds scorers. {@link java.util.ServiceLoader}
 * searches for implementations once per JVM.
 *
 * <p>An implementation must load even if its hardware or libraries are missing; {@link
 * #unavailable()} must then return the reason.
 */
public interface ScorerProvider {
  /** Returns the algorithms for which this provider can compile ensembles, one or more. */
  List<Algorithm> algorithms();

  /** Returns why this provider's algorithms cannot be used in this JVM; empty if they can. */
  String unavailable();

  /**
   * Compiles an ensemble.
   *
   * @param algorithm one of {@link #algorithms()}
   * @param excluded engines that must not score the ensemble, not even the part that the CPU scores
   * @param progress receives a report about once per tree; the caller reports the end
   * @throws UnsupportedEnsembleException if the algorithm does not support the ensemble
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     no memory of the hardware is then in use
   */
  EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress);

  /**
   * Returns a CPU engine that supports all ensembles and shares no code with {@code other} or with
   * the reference engine; null if there is none. {@link Algorithm#AUTO} uses it if no other engine
   * supports the ensemble.
   *
   * @param other the engine with which the returned engine must not share code
   */
  default @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    return null;
  }

  /**
   * Returns a scorer that sends each call to this provider's hardware if that is faster, otherwise
   * to {@code cpu}. Returns {@code cpu} itself if the hardware is never faster.
   *
   * @param cpu the scorer for the CPU; closed when the result is closed
   * @param progress receives the progress of the additional compilation
   * @throws CancellationException as {@link #compile} does
   */
  default EnsembleScorer accelerate(EnsembleScorer cpu, CompileProgress progress) {
    return cpu;
  }

  /** Returns the devices found so far. If several providers use a device, only one reports it. */
  default Accelerators accelerators() {
    return Accelerators.NONE;
  }
}

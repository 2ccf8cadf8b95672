// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Service interface through which another module adds scorers; found by {@link
 * java.util.ServiceLoader}, once.
 *
 * <p>An implementation must load even if its hardware or libraries are missing, and report that by
 * {@link #unavailable()}.
 */
public interface ScorerProvider {
  /** Returns the algorithms this provider compiles for, one or more. */
  List<Algorithm> algorithms();

  /** Returns why the algorithms cannot be used in this JVM; empty if they can. */
  String unavailable();

  /**
   * Compiles an ensemble.
   *
   * @param algorithm one of {@link #algorithms()}
   * @param excluded engines that must not score the ensemble on the CPU either
   * @param progress gets a report about once per tree; the caller reports the end
   * @throws UnsupportedEnsembleException if the algorithm cannot take the ensemble
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     nothing is held on the hardware then
   */
  EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress);

  /**
   * Returns an engine for the CPU that takes ensembles of trees of any size and any leaves, and
   * shares no code with another engine nor with the reference; null if there is none. {@link
   * Algorithm#AUTO} uses it if no engine of its own takes the ensemble.
   *
   * @param other the other engine
   */
  default @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    return null;
  }

  /**
   * Returns a scorer that sends each call to this provider's hardware if that is faster, else to
   * the given scorer; the given scorer itself if the hardware is never faster.
   *
   * @param cpu closed with the result
   * @param progress of the additional compilation; as in {@link #compile}
   * @throws CancellationException as {@link #compile} does
   */
  default EnsembleScorer accelerate(EnsembleScorer cpu, CompileProgress progress) {
    return cpu;
  }

  /**
   * Returns the devices found so far, without searching for any. If several providers use the same
   * devices, only one reports them.
   */
  default Accelerators accelerators() {
    return Accelerators.NONE;
  }
}

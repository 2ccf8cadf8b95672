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
 * <p>An implementation must be loadable where its hardware or libraries are missing, and say so by
 * {@link #unavailable()}.
 */
public interface ScorerProvider {
  /** The algorithms this provider compiles for, one or more. */
  List<Algorithm> algorithms();

  /** Why the algorithms cannot be used in this JVM; empty if they can. */
  String unavailable();

  /**
   * @param algorithm one of {@link #algorithms()}
   * @param excluded engines that must not score the ensemble on the CPU either
   * @param progress told about once per tree; the end is the caller's to tell
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
   * An engine for the CPU that takes an ensemble of trees, whatever the trees' size and leaves, and
   * shares no code with another engine nor with the reference; null if there is none. {@link
   * Algorithm#AUTO} uses it where no engine of its own takes the ensemble.
   *
   * @param other the other engine
   */
  default @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    return null;
  }

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

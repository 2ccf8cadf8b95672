// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import org.jspecify.annotations.Nullable;

/**
 * Reusable buffers for one scorer, created by {@link EnsembleScorer#newScratch()}. Only one thread
 * at a time may use them.
 */
public interface Scratch {
  /** Returns the current memory of the buffers in bytes, for example for a circuit breaker. */
  long bytes();

  /**
   * Returns the engine that scored the last batch. Returns null before the first batch, and for
   * scorers with a single engine.
   */
  default @Nullable Algorithm lastEngine() {
    return null;
  }
}

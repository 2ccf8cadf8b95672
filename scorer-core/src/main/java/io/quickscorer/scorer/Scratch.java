// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import org.jspecify.annotations.Nullable;

/**
 * Reusable buffers for one scorer, created by {@link EnsembleScorer#newScratch()}; only one thread
 * at a time may use them.
 */
public interface Scratch {
  /**
   * Returns the present size of the buffers in bytes. A caller can charge it to a circuit breaker.
   */
  long bytes();

  /**
   * Returns the engine that scored the last batch with these buffers; null before the first batch,
   * and if the scorer is a single engine.
   */
  default @Nullable Algorithm lastEngine() {
    return null;
  }
}

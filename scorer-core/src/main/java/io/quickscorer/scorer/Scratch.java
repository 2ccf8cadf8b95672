// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import org.jspecify.annotations.Nullable;

/** A caller's reusable buffers for one scorer, made by {@link EnsembleScorer#newScratch()}. */
public interface Scratch {
  /** Returns the bytes held; a circuit breaker accounts for them. */
  long bytes();

  /**
   * Returns the engine that scored the last batch with these buffers; null before the first batch,
   * and if the scorer is a single engine.
   */
  default @Nullable Algorithm lastEngine() {
    return null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import org.jspecify.annotations.Nullable;

/** A caller's reusable buffers for one scorer, made by {@link EnsembleScorer#newScratch()}. */
public interface Scratch {
  /** Bytes held; part of what a breaker accounts. */
  long bytes();

  /**
   * The engine that scored the last batch with these buffers; null before the first, and where the
   * scorer is one engine itself.
   */
  default @Nullable Algorithm lastEngine() {
    return null;
  }
}

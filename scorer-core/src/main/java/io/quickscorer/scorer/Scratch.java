// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import org.jspecify.annotations.Nullable;

/** Buffers for one scorer and one thread at a time, from {@link EnsembleScorer#newScratch()}. */
public interface Scratch {
  /** Returns the present size in bytes. A caller can charge it to a circuit breaker. */
  long bytes();

  /** Returns the engine that scored the last batch; null if there is none or only one engine. */
  default @Nullable Algorithm lastEngine() {
    return null;
  }
}

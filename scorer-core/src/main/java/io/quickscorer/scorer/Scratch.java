// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.papers.plan.ScoringPlan;
import org.jspecify.annotations.Nullable;

/** A caller's reusable buffers for one scorer, made by {@link EnsembleScorer#newScratch()}. */
public interface Scratch {
  /** Bytes held; part of what a breaker accounts. */
  long bytes();

  /**
   * The plan, and hence the engine, by which the last batch was scored with these buffers; null
   * before the first, and where the scorer has but its {@linkplain EnsembleScorer#ownPlan own}.
   */
  default @Nullable ScoringPlan lastPlan() {
    return null;
  }
}

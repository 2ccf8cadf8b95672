// SPDX-License-Identifier: Apache-2.0
/**
 * The contracts of scoring, and the data of plans. {@link io.quickscorer.scorer.EnsembleScorer} is
 * an ensemble compiled for one {@link io.quickscorer.scorer.Algorithm}; {@link
 * io.quickscorer.scorer.BlockScorer} one whose work can be divided and ordered by a {@link
 * io.quickscorer.scorer.ScoringPlan}. Another module adds engines by {@link
 * io.quickscorer.scorer.ScorerProvider}. Imports no engine, no compiler and no file format.
 */
@NullMarked
package io.quickscorer.scorer;

import org.jspecify.annotations.NullMarked;

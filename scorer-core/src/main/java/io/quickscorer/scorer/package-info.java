// SPDX-License-Identifier: Apache-2.0
/**
 * The contracts of scoring. An {@link io.quickscorer.scorer.EnsembleScorer} is an ensemble compiled
 * for one {@link io.quickscorer.scorer.Algorithm}; a {@link io.quickscorer.scorer.BlockScorer} is
 * one whose work others can divide and order. Another module adds engines by {@link
 * io.quickscorer.scorer.ScorerProvider}. Imports no engine, no compiler and no file format.
 */
@NullMarked
package io.quickscorer.scorer;

import org.jspecify.annotations.NullMarked;

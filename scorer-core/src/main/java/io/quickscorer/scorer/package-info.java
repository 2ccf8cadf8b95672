// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces of scoring. An {@link io.quickscorer.scorer.EnsembleScorer} is an ensemble (the
 * trees of a model) compiled for one {@link io.quickscorer.scorer.Algorithm}. With a {@link
 * io.quickscorer.scorer.BlockScorer}, a caller can divide and order the work. Another module adds
 * engines by {@link io.quickscorer.scorer.ScorerProvider}. This package imports no engine, no
 * compiler and no file format.
 */
@NullMarked
package io.quickscorer.scorer;

import org.jspecify.annotations.NullMarked;

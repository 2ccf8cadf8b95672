/**
 * Scorers: an ensemble compiled for one traversal algorithm. {@link
 * io.quickscorer.scorer.ScorerCompiler} makes an {@link io.quickscorer.scorer.EnsembleScorer} for
 * an {@link io.quickscorer.scorer.Algorithm}; all of them return the bits of {@link
 * io.quickscorer.scorer.traversal.ReferenceScorer}. Knows no file format; only the {@code vector}
 * package below touches {@code jdk.incubator.vector}.
 */
@NullMarked
package io.quickscorer.scorer;

import org.jspecify.annotations.NullMarked;

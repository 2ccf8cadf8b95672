/**
 * The heavy-path scorer: all splits of a tree are compared at once, for one document, and the path
 * is then found by a few operations on the word of their outcomes.
 *
 * <p>{@link io.quickscorer.scorer.heavypath.PathProgram} is an ensemble in that form, {@link
 * io.quickscorer.scorer.heavypath.RankColumns} are the features as bytes, {@link
 * io.quickscorer.scorer.heavypath.HeavyPathScorer} runs the one on the other by kernels of the
 * {@code vector} package. Never imports {@code jdk.incubator.vector} or the {@code vector} package.
 */
@NullMarked
package io.quickscorer.scorer.heavypath;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The heavy-path engine: all splits of a tree are compared at once, for one document, and the path
 * is then found by a few operations on the word of their outcomes.
 *
 * <p>{@link io.quickscorer.engine.heavypath.PathProgram} is an ensemble in that form, {@link
 * io.quickscorer.engine.columns.RankColumns} are the features as bytes, {@link
 * io.quickscorer.engine.heavypath.HeavyPathScorer} runs the one on the other.
 */
@NullMarked
package io.quickscorer.engine.heavypath;

import org.jspecify.annotations.NullMarked;

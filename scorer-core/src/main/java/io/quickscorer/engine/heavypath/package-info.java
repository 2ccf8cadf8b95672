// SPDX-License-Identifier: Apache-2.0
/**
 * The heavy-path engine. It compares all splits of a tree at once, for one document, and finds the
 * path by a few operations on the word of their outcomes.
 *
 * <p>{@link io.quickscorer.engine.heavypath.PathProgram} is an ensemble in that form, {@link
 * io.quickscorer.engine.heavypath.RankColumns} are the features as bytes, and {@link
 * io.quickscorer.engine.heavypath.HeavyPathScorer} runs the program on them.
 */
@NullMarked
package io.quickscorer.engine.heavypath;

import org.jspecify.annotations.NullMarked;

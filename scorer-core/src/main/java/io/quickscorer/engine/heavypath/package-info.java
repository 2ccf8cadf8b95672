// SPDX-License-Identifier: Apache-2.0
/**
 * The heavy-path engine. For one document, it compares all splits of a tree at once, and finds the
 * path by a few operations on the word of their outcomes.
 *
 * <p>{@link io.quickscorer.engine.heavypath.PathProgram} is an ensemble in the form for this
 * engine, {@link io.quickscorer.engine.heavypath.RankColumns} converts features to bytes, and
 * {@link io.quickscorer.engine.heavypath.HeavyPathScorer} runs the program with these bytes.
 */
@NullMarked
package io.quickscorer.engine.heavypath;

import org.jspecify.annotations.NullMarked;

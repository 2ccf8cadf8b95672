// SPDX-License-Identifier: Apache-2.0
/**
 * The bit-sliced engine. Each document is one bit of a word, and a tree is a sequence of AND, XOR
 * and table look-ups, which are the same for every document.
 *
 * <p>{@link io.quickscorer.engine.bitsliced.ProgramCompiler} compiles an ensemble to a {@link
 * io.quickscorer.engine.bitsliced.BitProgram}. {@link
 * io.quickscorer.engine.bitsliced.BitSlicedScorer} runs this program with kernels, phase by phase.
 * The plain kernels use {@code long[]} only; the {@code Simd} kernels do the same with vectors.
 */
@NullMarked
package io.quickscorer.engine.bitsliced;

import org.jspecify.annotations.NullMarked;

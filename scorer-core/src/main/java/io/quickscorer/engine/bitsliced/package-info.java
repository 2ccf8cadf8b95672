// SPDX-License-Identifier: Apache-2.0
/**
 * The bit-sliced engine. Documents are bits of words, and a tree is a sequence of AND, XOR and
 * table look-ups over them, the same for every document.
 *
 * <p>{@link io.quickscorer.engine.bitsliced.ProgramCompiler} turns an ensemble into a {@link
 * io.quickscorer.engine.bitsliced.BitProgram}. {@link
 * io.quickscorer.engine.bitsliced.BitSlicedScorer} runs it with kernels, phase by phase. The plain
 * kernels need only {@code long[]}; the {@code Simd} kernels do the same on vectors.
 */
@NullMarked
package io.quickscorer.engine.bitsliced;

import org.jspecify.annotations.NullMarked;

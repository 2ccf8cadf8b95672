/**
 * The bit-sliced scorer: documents are bits of words, and a tree is a straight line of AND, XOR and
 * table look-ups over them, the same for every document.
 *
 * <p>{@link io.quickscorer.scorer.bitsliced.ProgramCompiler} turns an ensemble into a {@link
 * io.quickscorer.scorer.bitsliced.BitProgram}; {@link
 * io.quickscorer.scorer.bitsliced.BitSlicedScorer} runs it, phase by phase, by kernels. The plain
 * kernels of this package need nothing but {@code long[]}; those of the {@code vector} package do
 * the same on vectors. Never imports {@code jdk.incubator.vector} or the {@code vector} package.
 */
@NullMarked
package io.quickscorer.scorer.bitsliced;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The bit-sliced engine. Each document is one bit of a word. A tree is a sequence of AND, XOR and
 * table look-ups. The sequence is the same for every document. {@link
 * io.quickscorer.engine.bitsliced.BitProgram} explains the algorithm and its terms. The plain
 * kernels use {@code long[]}; the {@code Simd} kernels do the same with vectors.
 */
@NullMarked
package io.quickscorer.engine.bitsliced;

import org.jspecify.annotations.NullMarked;

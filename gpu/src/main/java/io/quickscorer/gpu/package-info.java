// SPDX-License-Identifier: Apache-2.0
/**
 * Engines on CUDA devices. {@link io.quickscorer.gpu.GpuProvider} offers the engines to the core.
 * {@link io.quickscorer.gpu.OffloadScorer} decides for each call whether a device or the CPU scores
 * it.
 *
 * <p>Terms: a <i>kernel</i> is a function on the device. It runs in <i>blocks</i> of threads, on
 * <i>multiprocessors</i> with a small, fast <i>shared memory</i>. A <i>warp</i> is 32 threads that
 * execute the same instructions. A <i>stream</i> is a queue of copies and kernels. A <i>batch</i>
 * is a part of a call, and its <i>stride</i> is its number of documents with padding. A
 * <i>column</i> is a feature with a rule for missing values; a value's <i>rank</i> is the number of
 * the column's thresholds that are below the value.
 */
@NullMarked
package io.quickscorer.gpu;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Scores one batch with several threads. {@link
 * io.quickscorer.papers.parallel.DocumentParallelScorer} divides the documents among the threads,
 * {@link io.quickscorer.papers.parallel.TreeParallelScorer} divides the trees. The scores of both
 * are bit-identical to those of one thread. The caller provides the threads.
 */
@NullMarked
package io.quickscorer.papers.parallel;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Scores one batch with several threads, which the caller provides. {@link
 * io.quickscorer.papers.parallel.DocumentParallelScorer} divides the documents among the threads,
 * {@link io.quickscorer.papers.parallel.TreeParallelScorer} divides the trees.
 */
@NullMarked
package io.quickscorer.papers.parallel;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Several threads for one batch. {@link io.quickscorer.papers.parallel.DocumentParallelScorer}
 * gives each thread a part of the documents, {@link
 * io.quickscorer.papers.parallel.TreeParallelScorer} a part of the trees. Both return the same bits
 * as one thread. The caller provides the threads.
 */
@NullMarked
package io.quickscorer.papers.parallel;

import org.jspecify.annotations.NullMarked;

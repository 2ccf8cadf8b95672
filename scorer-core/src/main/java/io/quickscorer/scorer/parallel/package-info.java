/**
 * Several threads for one batch: {@link io.quickscorer.scorer.parallel.DocumentParallelScorer}
 * gives each some of the documents, {@link io.quickscorer.scorer.parallel.TreeParallelScorer} some
 * of the trees. Both return the bits of one thread. Threads are the caller's.
 */
@NullMarked
package io.quickscorer.scorer.parallel;

import org.jspecify.annotations.NullMarked;

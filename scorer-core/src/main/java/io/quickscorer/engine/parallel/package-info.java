// SPDX-License-Identifier: Apache-2.0
/**
 * Several threads for one batch: {@link io.quickscorer.engine.parallel.DocumentParallelScorer}
 * gives each some of the documents, {@link io.quickscorer.engine.parallel.TreeParallelScorer} some
 * of the trees. Both return the bits of one thread. Threads are the caller's.
 */
@NullMarked
package io.quickscorer.engine.parallel;

import org.jspecify.annotations.NullMarked;

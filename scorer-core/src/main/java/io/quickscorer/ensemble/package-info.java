// SPDX-License-Identifier: Apache-2.0
/**
 * The neutral model: what every reader produces and every scorer consumes.
 *
 * <p>Entry type: {@link io.quickscorer.ensemble.TreeEnsemble}. Trees are made only by {@link
 * io.quickscorer.ensemble.TreeBuilder}, the single place of structural checks; comparisons are
 * rewritten to {@code x <= threshold} on floats only by {@link io.quickscorer.ensemble.Thresholds}.
 * All types are immutable once built and safe to share between threads. Imports nothing of ours.
 */
@NullMarked
package io.quickscorer.ensemble;

import org.jspecify.annotations.NullMarked;

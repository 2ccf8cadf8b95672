// SPDX-License-Identifier: Apache-2.0
/**
 * QuickScorer and its relatives: an ensemble is traversed feature by feature, and each split whose
 * test fails clears the leaves it rules out. {@link io.quickscorer.engine.quickscorer.FalseNodes}
 * is the form they share; the {@code Simd} kernels take one document per lane (vQS) or per byte
 * (RapidScorer).
 */
@NullMarked
package io.quickscorer.engine.quickscorer;

import org.jspecify.annotations.NullMarked;

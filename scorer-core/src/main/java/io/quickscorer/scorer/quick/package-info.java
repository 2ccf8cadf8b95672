/**
 * QuickScorer and its relatives without vectors: an ensemble is traversed feature by feature, and
 * each split whose test fails clears the leaves it rules out. {@link
 * io.quickscorer.scorer.quick.FalseNodes} is the form they share with the {@code vector} package.
 */
@NullMarked
package io.quickscorer.scorer.quick;

import org.jspecify.annotations.NullMarked;

/**
 * Scorers on the vectors of {@code jdk.incubator.vector}, which no other package touches. Whether
 * they can be used here is asked of {@link io.quickscorer.scorer.vector.VectorSupport}, which links
 * nothing of that module unless it is there.
 */
@NullMarked
package io.quickscorer.scorer.vector;

import org.jspecify.annotations.NullMarked;

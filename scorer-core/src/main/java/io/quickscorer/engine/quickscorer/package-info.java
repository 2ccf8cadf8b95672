// SPDX-License-Identifier: Apache-2.0
/**
 * QuickScorer and vQS. They traverse an ensemble feature by feature, and each split whose test
 * fails clears the leaves that it excludes. {@link io.quickscorer.engine.quickscorer.FalseNodes} is
 * their common form. The {@code Simd} kernel takes one document per lane.
 */
@NullMarked
package io.quickscorer.engine.quickscorer;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * QuickScorer and its relatives. They traverse an ensemble feature by feature, and each split whose
 * test fails clears the leaves that it excludes. {@link
 * io.quickscorer.engine.quickscorer.FalseNodes} is their common form. The {@code Simd} kernels take
 * one document per lane (vQS) or per byte (RapidScorer).
 */
@NullMarked
package io.quickscorer.engine.quickscorer;

import io.quickscorer.papers.quickscorer.RapidScorer;
import org.jspecify.annotations.NullMarked;

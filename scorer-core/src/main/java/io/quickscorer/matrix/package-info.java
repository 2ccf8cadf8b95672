// SPDX-License-Identifier: Apache-2.0
/**
 * The documents to score: {@link io.quickscorer.matrix.FeatureMatrix}, one column per feature. This
 * package depends on no model and no scorer.
 */
@NullMarked
package io.quickscorer.matrix;

import org.jspecify.annotations.NullMarked;

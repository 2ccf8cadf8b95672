// SPDX-License-Identifier: Apache-2.0
/**
 * Explains scores by the contributions of features, and computes the features' importances.
 *
 * <p>Entry types: {@link io.quickscorer.explain.Explainer} for one document's raw score, and {@link
 * io.quickscorer.explain.FeatureImportance} for the whole ensemble. This package imports no reader
 * and no scorer.
 */
@NullMarked
package io.quickscorer.explain;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Explains the scores of documents by the contributions of features, and computes the importances
 * of features.
 *
 * <p>Entry types: {@link io.quickscorer.explain.Explainer} for one document's raw score, and {@link
 * io.quickscorer.explain.FeatureImportance} for the whole ensemble. This package depends on the
 * ensemble and the matrix; it imports no reader and no scorer.
 */
@NullMarked
package io.quickscorer.explain;

import org.jspecify.annotations.NullMarked;

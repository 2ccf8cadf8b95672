// SPDX-License-Identifier: Apache-2.0
/**
 * Explains why an ensemble gives a document its score, and which features the ensemble uses.
 *
 * <p>Entry types: {@link io.quickscorer.explain.Explainer} (contributions of features and trees to
 * one document's raw score) and {@link io.quickscorer.explain.FeatureImportance} (of the whole
 * ensemble). Depends on the ensemble and the matrix; imports no reader and no scorer.
 */
@NullMarked
package io.quickscorer.explain;

import org.jspecify.annotations.NullMarked;

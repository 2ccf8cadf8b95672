// SPDX-License-Identifier: Apache-2.0
/**
 * Why an ensemble scores a document as it does, and what it learnt from.
 *
 * <p>Entry types: {@link io.quickscorer.explain.Explainer} (contributions of features and of trees
 * to one document's raw score) and {@link io.quickscorer.explain.FeatureImportance} (of the whole
 * ensemble). Knows the ensemble and the matrix; imports no reader and no scorer.
 */
@NullMarked
package io.quickscorer.explain;

import org.jspecify.annotations.NullMarked;

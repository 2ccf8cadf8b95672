// SPDX-License-Identifier: Apache-2.0
/**
 * Converts feature values once per batch to ranks and to bits of predicates, which engines compare
 * faster. {@link io.quickscorer.engine.columns.SplitTable} lists the tests of all splits.
 *
 * <p>Terms: a value's <i>rank</i> is the number of thresholds below it. A <i>predicate</i> is a
 * test of a feature: against a threshold, or for a set of categories. A <i>bitmap</i> has one bit
 * per document.
 */
@NullMarked
package io.quickscorer.engine.columns;

import org.jspecify.annotations.NullMarked;

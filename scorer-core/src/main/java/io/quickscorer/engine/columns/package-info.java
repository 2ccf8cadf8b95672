// SPDX-License-Identifier: Apache-2.0
/**
 * Turns feature values into ranks and predicates, once per batch, the form in which engines compare
 * them. {@link io.quickscorer.engine.columns.SplitTable} collects the distinct conditions of all
 * splits, for all engines and for devices. The others lay them out: {@link
 * io.quickscorer.engine.columns.PredicateTable} numbers predicates, {@link
 * io.quickscorer.engine.columns.ColumnTable} divides thresholds into windows, {@code
 * io.quickscorer.papers.traversal.OrderedColumns} makes integer keys with the order of the floats.
 * Does not depend on any engine.
 */
@NullMarked
package io.quickscorer.engine.columns;

import org.jspecify.annotations.NullMarked;

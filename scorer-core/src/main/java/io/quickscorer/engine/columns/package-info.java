// SPDX-License-Identifier: Apache-2.0
/**
 * Feature values become ranks and predicates, once per batch: the form in which engines compare
 * them. {@link io.quickscorer.engine.columns.SplitTable} collects what splits ask, each question
 * once, for all engines and for devices; the others lay it out: {@link
 * io.quickscorer.engine.columns.PredicateTable} numbers predicates, {@link
 * io.quickscorer.engine.columns.ColumnTable} cuts thresholds into windows, {@link
 * io.quickscorer.engine.columns.OrderedColumns} makes integer keys that compare as the floats do.
 * Knows no engine.
 */
@NullMarked
package io.quickscorer.engine.columns;

import org.jspecify.annotations.NullMarked;

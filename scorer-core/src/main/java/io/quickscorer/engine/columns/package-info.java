/**
 * Feature values become ranks and predicates, once per batch: the form in which engines compare
 * them. {@link io.quickscorer.engine.columns.PredicateTable} numbers the distinct predicates of an
 * ensemble, {@link io.quickscorer.engine.columns.ColumnTable} the distinct thresholds of a feature,
 * {@link io.quickscorer.engine.columns.OrderedColumns} makes integer keys that compare as the
 * floats do. Knows no engine.
 */
@NullMarked
package io.quickscorer.engine.columns;

import org.jspecify.annotations.NullMarked;

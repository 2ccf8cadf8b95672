// SPDX-License-Identifier: Apache-2.0
/**
 * Converts feature values once per batch to ranks and to bits of predicates, which engines compare
 * faster. {@link io.quickscorer.engine.columns.SplitTable} collects the distinct tests of all
 * splits, for all engines and for devices. This package does not depend on any engine.
 */
@NullMarked
package io.quickscorer.engine.columns;

import org.jspecify.annotations.NullMarked;

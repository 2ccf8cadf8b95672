// SPDX-License-Identifier: Apache-2.0
/**
 * Turns feature values into ranks and predicates, once per batch, the form in which engines compare
 * them. {@link io.quickscorer.engine.columns.SplitTable} collects the distinct conditions of all
 * splits, for all engines and for devices. Does not depend on any engine.
 */
@NullMarked
package io.quickscorer.engine.columns;

import org.jspecify.annotations.NullMarked;

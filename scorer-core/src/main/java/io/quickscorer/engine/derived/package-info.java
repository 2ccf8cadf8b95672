// SPDX-License-Identifier: Apache-2.0
/**
 * Columns that are computed once per batch, before an engine walks the trees. Entry type: {@link
 * io.quickscorer.engine.derived.DerivedScorer}.
 */
@NullMarked
package io.quickscorer.engine.derived;

import org.jspecify.annotations.NullMarked;

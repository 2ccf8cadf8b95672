// SPDX-License-Identifier: Apache-2.0
/**
 * Engines of the papers that the library itself does without. They are found by {@link
 * io.quickscorer.scorer.ScorerProvider}; entry type: {@link io.quickscorer.papers.PapersProvider}.
 */
@NullMarked
package io.quickscorer.papers;

import org.jspecify.annotations.NullMarked;

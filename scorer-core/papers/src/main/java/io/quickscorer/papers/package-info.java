// SPDX-License-Identifier: Apache-2.0
/**
 * Engines from the papers that the library does not need for the choice of the fastest engine. The
 * library finds them through {@link io.quickscorer.scorer.ScorerProvider}. Entry type: {@link
 * io.quickscorer.papers.PapersProvider}.
 */
@NullMarked
package io.quickscorer.papers;

import org.jspecify.annotations.NullMarked;

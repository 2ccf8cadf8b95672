// SPDX-License-Identifier: Apache-2.0
/**
 * Engines from published papers, for comparison; the library itself works without them. {@link
 * io.quickscorer.papers.PapersProvider} offers them to the library.
 */
@NullMarked
package io.quickscorer.papers;

import org.jspecify.annotations.NullMarked;

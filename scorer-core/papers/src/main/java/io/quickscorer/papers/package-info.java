// SPDX-License-Identifier: Apache-2.0
/**
 * Engines from published papers, which the library can work without. {@link
 * io.quickscorer.papers.PapersProvider} offers them to the library.
 */
@NullMarked
package io.quickscorer.papers;

import org.jspecify.annotations.NullMarked;

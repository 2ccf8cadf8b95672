// SPDX-License-Identifier: Apache-2.0
/**
 * Optional engines from published papers. {@link io.quickscorer.papers.PapersProvider} offers the
 * engines to the library.
 */
@NullMarked
package io.quickscorer.papers;

import org.jspecify.annotations.NullMarked;

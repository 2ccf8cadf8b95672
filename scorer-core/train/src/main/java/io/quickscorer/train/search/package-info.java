// SPDX-License-Identifier: Apache-2.0
/** Creates searches like those whose hits were logged, and measures their times on a cluster. */
@NullMarked
package io.quickscorer.train.search;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Searches like those whose hits were logged, and what they take on a cluster. */
@NullMarked
package io.quickscorer.train.search;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** An HTTP client of a cluster. */
@NullMarked
package io.quickscorer.train.cluster;

import org.jspecify.annotations.NullMarked;

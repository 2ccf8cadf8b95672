// SPDX-License-Identifier: Apache-2.0
/** Talks to a cluster over HTTP. */
@NullMarked
package io.quickscorer.train.cluster;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Fills the columns on a shard from doc values, queries, scripts, vectors and expressions. */
@NullMarked
package io.quickscorer.plugin.feature.shard;

import org.jspecify.annotations.NullMarked;

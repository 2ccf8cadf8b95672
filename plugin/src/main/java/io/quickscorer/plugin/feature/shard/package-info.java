// SPDX-License-Identifier: Apache-2.0
/** What fills the columns on a shard: doc values, queries, scripts, vectors, expressions. */
@NullMarked
package io.quickscorer.plugin.feature.shard;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Computes the columns of a feature set on a shard. Query features are scored together, block by
 * block, instead of with one scorer each; each term's postings are read once.
 */
@NullMarked
package io.quickscorer.plugin.feature.shard;

import org.jspecify.annotations.NullMarked;

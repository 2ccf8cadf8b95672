// SPDX-License-Identifier: Apache-2.0
/**
 * Computes the columns of a feature set on a shard. The queries of all features are scored
 * together, block by block, so that each term's postings (list of documents) are read once.
 */
@NullMarked
package io.quickscorer.plugin.feature.shard;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Rescoring on a shard: features of hits are computed, models score them, and the hits are sorted.
 * With {@code scope} {@code global}, the coordinating node sorts the hits of all shards, and scores
 * those that no shard has scored.
 */
@NullMarked
package io.quickscorer.plugin.rescore.shard;

import org.jspecify.annotations.NullMarked;

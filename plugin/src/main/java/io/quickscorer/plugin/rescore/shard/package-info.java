// SPDX-License-Identifier: Apache-2.0
/**
 * Rescoring on a shard: computing the features of a window's hits, scoring them with the models,
 * and sorting the hits. With {@code scope} {@code global}, the coordinating node scores and sorts
 * the hits of all shards together.
 */
@NullMarked
package io.quickscorer.plugin.rescore.shard;

import org.jspecify.annotations.NullMarked;

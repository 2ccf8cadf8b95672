// SPDX-License-Identifier: Apache-2.0
/**
 * The part of a shard: it collects the window, extracts its features, scores it and orders the
 * hits. With {@code scope} {@code global} the coordinating node does the last two, for the hits of
 * all shards together.
 */
@NullMarked
package io.quickscorer.plugin.rescore.shard;

import org.jspecify.annotations.NullMarked;

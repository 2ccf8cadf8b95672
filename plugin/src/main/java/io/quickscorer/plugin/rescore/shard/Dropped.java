// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

/**
 * Hits that a stage of a clause did not keep.
 *
 * @param stage the stage's index, from 0
 * @param keys the hits, best first, as keys that {@link HitKeys} describes
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record Dropped(int stage, long[] keys) {}

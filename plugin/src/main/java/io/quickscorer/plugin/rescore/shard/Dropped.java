// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

/**
 * Hits that a stage of a clause did not keep.
 *
 * @param stage the stage's index, from 0
 * @param keys the hits, best first, in the form of {@link HitKeys}
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record Dropped(int stage, long[] keys) {}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

/**
 * Hits that a stage of a clause did not keep.
 *
 * @param stage from 0
 * @param keys the hits, best first, as {@link HitKeys}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Dropped(int stage, long[] keys) {}

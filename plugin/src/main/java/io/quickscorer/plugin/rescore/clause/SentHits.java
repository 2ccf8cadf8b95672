// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.wire.WireRecord;
import org.jspecify.annotations.Nullable;

/**
 * The data that shards send to a coordinating node that ranks the hits of all shards together.
 *
 * @param groupField the field whose values shards send with each hit; null for none
 * @param page the number of best hits that the response can show; shards fetch only hits that can
 *     be among them. 0 if shards fetch all hits
 * @param moved whether hits may change their order before the coordinating node ranks them, so that
 *     any hit of a shard can be in the window
 */
public record SentHits(@Nullable String groupField, int page, boolean moved) implements WireRecord {
  /** All hits are fetched, without the values of a field. */
  public static final SentHits ALL = new SentHits(null, 0, false);
}

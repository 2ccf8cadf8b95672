// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchShardTarget;
import org.opensearch.transport.RemoteClusterAware;

/**
 * The hits that an earlier search has found, with their scores. A clause ranks them again and uses
 * these scores as first-pass scores. Immutable.
 *
 * @param scores the score of each hit, by {@link #key}
 */
public record StandingHits(Map<String, Float> scores) implements WireRecord {
  /**
   * The score of a document that the earlier search did not find, but whose id is equal to the id
   * of a hit.
   */
  public static final float NOT_A_HIT = -Float.MAX_VALUE;

  public static StandingHits of(Iterable<SearchHit> hits) {
    Map<String, Float> scores = new LinkedHashMap<>();
    for (SearchHit hit : hits) {
      scores.put(key(hit), hit.getScore());
    }
    return new StandingHits(scores);
  }

  /**
   * Returns a key that identifies a hit. The document's id alone does not, because several shards
   * and clusters may use the same id.
   */
  public static String key(SearchHit hit) {
    SearchShardTarget shard = hit.getShard();
    String index =
        RemoteClusterAware.buildRemoteIndexName(
            hit.getClusterAlias(), String.valueOf(hit.getIndex()));
    return key(index, shard == null ? 0 : shard.getShardId().id(), hit.getId());
  }

  private static String key(String index, int shard, String id) {
    return index + "/" + shard + "/" + id;
  }

  /**
   * Returns the score that the earlier search gave to a document, or null if the document is not
   * one of its hits.
   *
   * @param index the name of the shard's index, prefixed by the cluster's alias if it is in another
   *     cluster
   */
  public @Nullable Float score(String index, int shard, String id) {
    return scores.get(key(index, shard, id));
  }
}

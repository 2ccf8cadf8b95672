// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.Uid;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchShardTarget;
import org.opensearch.transport.RemoteClusterAware;

/**
 * Hits that another search has found, with their scores. A clause ranks these hits in an additional
 * search, which finds them by their ids. Immutable.
 *
 * @param scores the score of each hit by the other search; the key is {@link #key}
 */
public record StandingHits(Map<String, Float> scores) implements WireRecord {
  /** The score of a found document that is none of these hits, but has the id of one. */
  public static final float NOT_A_HIT = -Float.MAX_VALUE;

  public static StandingHits of(Iterable<SearchHit> hits) {
    Map<String, Float> scores = new LinkedHashMap<>();
    for (SearchHit hit : hits) {
      scores.put(key(hit), hit.getScore());
    }
    return new StandingHits(scores);
  }

  /** Returns a text that identifies a hit. Hits of two shards or clusters can have equal ids. */
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
   * Returns the found documents, best first, with their scores from the other search. A document
   * that is none of that search's hits gets {@link #NOT_A_HIT}, so it comes last.
   */
  public ScoreDoc[] rank(ScoreDoc[] found, IndexSearcher searcher, QueryShardContext shard)
      throws IOException {
    String index = shard.getFullyQualifiedIndex().getName();
    StoredFields stored = searcher.storedFields();
    ScoreDoc[] standing = new ScoreDoc[found.length];
    for (int i = 0; i < standing.length; i++) {
      BytesRef id =
          stored
              .document(found[i].doc, Set.of(IdFieldMapper.NAME))
              .getBinaryValue(IdFieldMapper.NAME);
      Float score =
          scores.get(key(index, shard.getShardId(), Uid.decodeId(id.bytes, id.offset, id.length)));
      standing[i] =
          new ScoreDoc(found[i].doc, score == null ? NOT_A_HIT : score, found[i].shardIndex);
    }
    Arrays.sort(
        standing,
        Comparator.comparingDouble((ScoreDoc hit) -> -hit.score).thenComparingInt(hit -> hit.doc));
    return standing;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.rescore.clause.StandingHits;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.Uid;
import org.opensearch.index.query.QueryShardContext;

/**
 * The scores that an earlier search gave to its hits on one shard.
 *
 * @param index the name of the shard's index, prefixed by the cluster's alias if it is in another
 *     cluster
 */
record StandingScores(StandingHits hits, String index, int shard) {
  static StandingScores of(StandingHits hits, QueryShardContext shard) {
    return new StandingScores(hits, shard.getFullyQualifiedIndex().getName(), shard.getShardId());
  }

  /**
   * Returns the documents with the scores of the earlier search, best first; documents that it did
   * not find come last.
   */
  ScoreDoc[] of(ScoreDoc[] found, IndexSearcher searcher) throws IOException {
    StoredFields stored = searcher.storedFields();
    ScoreDoc[] standing = new ScoreDoc[found.length];
    for (int i = 0; i < standing.length; i++) {
      BytesRef id =
          stored
              .document(found[i].doc, Set.of(IdFieldMapper.NAME))
              .getBinaryValue(IdFieldMapper.NAME);
      Float score = hits.score(index, shard, Uid.decodeId(id.bytes, id.offset, id.length));
      standing[i] =
          new ScoreDoc(
              found[i].doc, score == null ? StandingHits.NOT_A_HIT : score, found[i].shardIndex);
    }
    Arrays.sort(
        standing,
        Comparator.comparingDouble((ScoreDoc hit) -> -hit.score).thenComparingInt(hit -> hit.doc));
    return standing;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.Aggregation;
import org.opensearch.search.aggregations.Aggregations;
import org.opensearch.search.aggregations.HasAggregations;
import org.opensearch.search.aggregations.bucket.MultiBucketsAggregation;
import org.opensearch.search.aggregations.metrics.TopHits;

/**
 * The hits in the buckets of a response's {@code top_hits} aggregations. If they have no sort, the
 * server rescores them like the hits of the search, with a separate window for each bucket.
 */
final class BucketHits {
  private BucketHits() {}

  /** Returns the hits of all {@code top_hits} aggregations, at any depth. */
  public static List<SearchHits> of(@Nullable Aggregations aggregations) {
    List<SearchHits> hits = new ArrayList<>();
    add(aggregations, hits);
    return hits;
  }

  private static void add(@Nullable Aggregations aggregations, List<SearchHits> hits) {
    if (aggregations == null) {
      return;
    }
    for (Aggregation aggregation : aggregations) {
      switch (aggregation) {
        case TopHits top -> hits.add(top.getHits());
        case MultiBucketsAggregation buckets ->
            buckets.getBuckets().forEach(bucket -> add(bucket.getAggregations(), hits));
        case HasAggregations bucket -> add(bucket.getAggregations(), hits);
        default -> {}
      }
    }
  }
}

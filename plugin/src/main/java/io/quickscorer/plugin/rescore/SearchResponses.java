// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Failures;
import io.quickscorer.plugin.stats.PipelineStats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchResponseSections;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.Aggregation;
import org.opensearch.search.aggregations.Aggregations;
import org.opensearch.search.aggregations.HasAggregations;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.bucket.MultiBucketsAggregation;
import org.opensearch.search.aggregations.metrics.TopHits;
import org.opensearch.search.internal.InternalSearchResponse;
import org.opensearch.search.profile.SearchProfileShardResults;

/** Creates copies of search responses with other hits or another {@code ext.quickscorer}. */
final class SearchResponses {
  private SearchResponses() {}

  /**
   * Returns a copy of a response with the given hits.
   *
   * @param ext the section {@code ext.quickscorer}; null for none
   * @param tookMillis the time of the whole search in milliseconds
   */
  public static SearchResponse with(
      SearchResponse answer, SearchHits hits, @Nullable RescoreExt ext, long tookMillis) {
    return with(answer, hits, ext, tookMillis, answer.isTimedOut(), List.of());
  }

  /**
   * Returns a copy of a response with the reason why a search pipeline did not rank it; unchanged
   * if a clause has ranked it.
   */
  public static SearchResponse leftAlone(SearchResponse answer, PipelineStats.Left reason) {
    return reason == PipelineStats.Left.CLAUSE
        ? answer
        : with(
            answer,
            answer.getHits(),
            RescoreExt.leftAlone(reason),
            answer.getTook().millis(),
            answer.isTimedOut() || reason == PipelineStats.Left.TIMEOUT,
            List.of());
  }

  /**
   * Returns a copy of a response with the given hits and additional failures of shards.
   *
   * @param ext the section {@code ext.quickscorer}; null for none
   * @param tookMillis the time of the whole search in milliseconds
   * @param failures the failures to add; {@code answer} still counts their shards as successful,
   *     and the copy counts them as failed
   */
  public static SearchResponse with(
      SearchResponse answer,
      SearchHits hits,
      @Nullable RescoreExt ext,
      long tookMillis,
      boolean timedOut,
      List<ShardSearchFailure> failures) {
    SearchResponseSections sections = answer.getInternalResponse();
    List<SearchExtBuilder> exts = new ArrayList<>(sections.getSearchExtBuilders());
    exts.removeIf(RescoreExt.class::isInstance);
    if (ext != null) {
      exts.add(ext);
    }
    return new SearchResponse(
        new InternalSearchResponse(
            hits,
            (InternalAggregations) answer.getAggregations(),
            answer.getSuggest(),
            answer.getProfileResults().isEmpty()
                ? null
                : new SearchProfileShardResults(answer.getProfileResults()),
            timedOut,
            answer.isTerminatedEarly(),
            answer.getNumReducePhases(),
            exts,
            sections.getProcessorResult()),
        answer.getScrollId(),
        answer.getTotalShards(),
        answer.getSuccessfulShards() - failures.size(),
        answer.getSkippedShards(),
        tookMillis,
        answer.getPhaseTook(),
        Stream.concat(Arrays.stream(answer.getShardFailures()), failures.stream())
            .toArray(ShardSearchFailure[]::new),
        answer.getClusters(),
        answer.pointInTimeId());
  }

  /** Returns the response of the search's own query, with the message of the ranking's failure. */
  static SearchResponse ignored(SearchResponse first, Exception failure) {
    RescoreExt ext = RescoreExt.ignored(Failures.message(failure));
    return with(first, first.getHits(), ext, first.getTook().millis());
  }

  /** Returns the cause of the first failure of a shard in a response. */
  static Exception cause(SearchResponse answer) {
    ShardSearchFailure failure = answer.getShardFailures()[0];
    return failure.getCause() instanceof Exception cause
        ? cause
        : new OpenSearchException(failure.reason());
  }

  /** Returns the section {@code ext.quickscorer} of a response, or null if there is none. */
  public static @Nullable RescoreExt ext(SearchResponse answer) {
    for (SearchExtBuilder ext : answer.getInternalResponse().getSearchExtBuilders()) {
      if (ext instanceof RescoreExt ours) {
        return ours;
      }
    }
    return null;
  }

  /**
   * Returns the hits of all {@code top_hits} aggregations of a response, at any depth. Clauses rank
   * these hits separately in each bucket.
   */
  static List<SearchHits> bucketHits(SearchResponse answer) {
    List<SearchHits> hits = new ArrayList<>();
    addBucketHits(answer.getAggregations(), hits);
    return hits;
  }

  private static void addBucketHits(@Nullable Aggregations aggregations, List<SearchHits> hits) {
    if (aggregations == null) {
      return;
    }
    for (Aggregation aggregation : aggregations) {
      switch (aggregation) {
        case TopHits top -> hits.add(top.getHits());
        case MultiBucketsAggregation buckets ->
            buckets.getBuckets().forEach(bucket -> addBucketHits(bucket.getAggregations(), hits));
        case HasAggregations bucket -> addBucketHits(bucket.getAggregations(), hits);
        default -> {}
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.answer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchResponseSections;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.internal.InternalSearchResponse;
import org.opensearch.search.profile.SearchProfileShardResults;

/** Copies of a search's answer with other hits or another section of ours. */
public final class SearchResponses {
  private SearchResponses() {}

  /**
   * @param tookMillis how long the whole took
   */
  public static SearchResponse with(
      SearchResponse answer, SearchHits hits, @Nullable RescoreExt ext, long tookMillis) {
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
            answer.isTimedOut(),
            answer.isTerminatedEarly(),
            answer.getNumReducePhases(),
            exts,
            sections.getProcessorResult()),
        answer.getScrollId(),
        answer.getTotalShards(),
        answer.getSuccessfulShards(),
        answer.getSkippedShards(),
        tookMillis,
        answer.getPhaseTook(),
        answer.getShardFailures(),
        answer.getClusters(),
        answer.pointInTimeId());
  }

  /** Our section of an answer, or null. */
  public static @Nullable RescoreExt ext(SearchResponse answer) {
    for (SearchExtBuilder ext : answer.getInternalResponse().getSearchExtBuilders()) {
      if (ext instanceof RescoreExt ours) {
        return ours;
      }
    }
    return null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.pipeline;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.RequestExt;
import io.quickscorer.plugin.rescore.coordinator.Clauses;
import io.quickscorer.plugin.rescore.coordinator.RunningSearch;
import io.quickscorer.plugin.stats.PipelineStats;
import io.quickscorer.plugin.stats.PipelineStats.Left;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.search.SearchService;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.search.sort.ScoreSortBuilder;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.search.sort.SortOrder;

/**
 * Puts the clause into searches that have none and that may have one; leaves others alone. What the
 * search then does is the same as if it had brought the clause along. Immutable.
 */
final class RankingProcessor extends ClauseProcessor implements SearchRequestProcessor {
  private final ThreadContext context;

  RankingProcessor(Parts parts, ThreadContext context) {
    super(parts);
    this.context = context;
  }

  @Override
  public SearchRequest processRequest(SearchRequest request) {
    RunningSearch search = RunningSearch.current(context);
    if (search == null) {
      return request;
    }
    List<String> indices = indices(request);
    PipelineStats.Pipeline counters = counters(request, indices);
    SearchSourceBuilder source =
        request.source() == null ? new SearchSourceBuilder() : request.source().shallowCopy();
    request.source(source);
    Left reason = leaves(request, indices);
    Map<String, Object> params = reason == null ? options.params(source, search.budget()) : null;
    if (params == null) {
      counters.left(reason == null ? Left.PARAMS : reason);
      return request;
    }
    ClauseOptions clause = options.clause().with(params);
    String shareKey = RequestExt.shareKey(source);
    if (shareKey != null) {
      clause = clause.with(clause.names().sharedBy(shareKey));
    }
    RequestExt.remove(source);
    List<?> rescorers = source.rescores() == null ? List.of() : List.copyOf(source.rescores());
    source.clearRescorers();
    rescorers.forEach(rescorer -> source.addRescorer((RescorerBuilder<?>) rescorer));
    source.addRescorer(rescore.clause(clause, options.windowSize()));
    if (isIgnoreFailure()) {
      search.ignoreFailure(counters);
    }
    request.source(search.trace(source));
    counters.ranked();
    return request;
  }

  /** Why a search is left alone, or null. */
  private @Nullable Left leaves(SearchRequest request, List<String> indices) {
    SearchSourceBuilder source = request.source();
    int size = source.size() < 0 ? SearchService.DEFAULT_SIZE : source.size();
    if (!Clauses.of(source).isEmpty()) {
      return Left.CLAUSE;
    }
    if (size == 0) {
      return Left.SIZE;
    }
    if (source.sorts() != null && !source.sorts().stream().allMatch(RankingProcessor::byScore)) {
      return Left.SORT;
    }
    if (source.collapse() != null && !options.clause().isGlobal()) {
      return Left.COLLAPSE;
    }
    if (request.scroll() != null) {
      return Left.SCROLL;
    }
    return outsideTraffic(request, indices);
  }

  private static boolean byScore(SortBuilder<?> sort) {
    return sort instanceof ScoreSortBuilder && sort.order() == SortOrder.DESC;
  }
}

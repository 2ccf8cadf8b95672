// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.stats.PipelineStats;
import io.quickscorer.plugin.stats.PipelineStats.Left;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.routing.Murmur3HashFunction;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.threadpool.ThreadPool;

/**
 * A search pipeline's processor that adds a clause (a model and its options) to searches, which
 * then run as if their bodies contained it. A search that already has a clause, or cannot have one,
 * is not changed. Immutable.
 */
final class RankingProcessor extends ClauseProcessor implements SearchRequestProcessor {
  private final ThreadPool threadPool;

  RankingProcessor(Parts parts, ThreadPool threadPool) {
    super(parts);
    this.threadPool = threadPool;
  }

  @Override
  public void processRequestAsync(
      SearchRequest request,
      PipelineProcessingContext context,
      ActionListener<SearchRequest> listener) {
    SearchRequest processed;
    try {
      processed = processRequest(request);
    } catch (RuntimeException e) {
      listener.onFailure(e);
      return;
    }
    RunningSearch.proceed(threadPool, () -> listener.onResponse(processed));
  }

  @Override
  public SearchRequest processRequest(SearchRequest request) {
    RunningSearch search = RunningSearch.in(threadPool.getThreadContext());
    if (search == null || search.isLeftAlone()) {
      return request;
    }
    List<String> indices = indices(request);
    PipelineStats.Pipeline counters = counters(request, indices, search);
    SearchSourceBuilder source =
        request.source() == null ? new SearchSourceBuilder() : SearchBody.copy(request.source());
    request.source(source);
    Left reason = Eligibility.ofSearch(request, options.clause());
    if (reason == null) {
      reason = outsideTraffic(request, indices);
    }
    Map<String, Object> params = reason == null ? options.params(source, search.budget()) : null;
    if (params == null) {
      Left left = reason == null ? Left.PARAMS : reason;
      counters.left(left);
      search.left(left);
      return request;
    }
    ClauseOptions clause = options.clause().with(params);
    String shareKey = RequestExt.shareKey(source);
    if (shareKey != null) {
      clause = clause.with(clause.names().sharedBy(shareKey));
    }
    RequestExt.remove(source);
    if (isIgnoreFailure()) {
      search.ignoreFailure(counters);
    }
    Long seed = clause.names().seed();
    if (seed == null) {
      EnsembleRescorerBuilder ranking = rescore.clause(clause, options.windowSize());
      search.trace(request, Clauses.with(source, ranking));
    } else {
      String key =
          shareKey == null ? RunningSearch.key(request.preference(), source.query()) : shareKey;
      clause = clause.with(clause.names().drawnBy(seed + Murmur3HashFunction.hash(key)));
      search.interleave(rescore.clause(clause, options.windowSize()));
      request.source(withoutHits(source, search.others()));
    }
    counters.ranked();
    return request;
  }

  /**
   * Returns the body of a search without hits, which replaces {@code source} if other searches
   * compute the response.
   */
  private static SearchSourceBuilder withoutHits(
      SearchSourceBuilder source, OtherProcessors others) {
    SearchSourceBuilder empty = new SearchSourceBuilder().size(0);
    if (source.pointInTimeBuilder() != null) {
      empty.pointInTimeBuilder(source.pointInTimeBuilder());
    }
    // If a query matches nothing, shards send no results, which such processors would read.
    return empty.query(
        others.moveHits() ? new MatchAllQueryBuilder() : new MatchNoneQueryBuilder());
  }
}

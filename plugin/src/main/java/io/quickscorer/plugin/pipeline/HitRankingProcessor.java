// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.pipeline;

import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.answer.RescoreExt;
import io.quickscorer.plugin.rescore.answer.SearchResponses;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.RequestExt;
import io.quickscorer.plugin.rescore.coordinator.Clauses;
import io.quickscorer.plugin.rescore.coordinator.RunningSearch;
import io.quickscorer.plugin.rescore.coordinator.SearchKey;
import io.quickscorer.plugin.stats.PipelineStats;
import io.quickscorer.plugin.stats.PipelineStats.Left;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.transport.client.Client;

/**
 * Ranks the hits of an answer as they stand, whatever put them in order: a hybrid query, a fusion
 * of ranks, a rescorer of the server. The values of their features come from the hits' shards, by
 * one search; the scores are those that the clause would give. Immutable.
 */
final class HitRankingProcessor extends ClauseProcessor implements SearchResponseProcessor {
  private final Client client;

  HitRankingProcessor(Parts parts, Client client) {
    super(parts);
    this.client = client;
  }

  @Override
  public SearchResponse processResponse(SearchRequest request, SearchResponse answer) {
    throw new UnsupportedOperationException(
        "it would block: the server calls processResponseAsync");
  }

  @Override
  public void processResponseAsync(
      SearchRequest request,
      SearchResponse answer,
      PipelineProcessingContext context,
      ActionListener<SearchResponse> listener) {
    List<String> indices = indices(request);
    PipelineStats.Pipeline counters = counters(request, indices);
    try {
      List<SearchHit> hits = List.of(answer.getHits().getHits());
      Left reason = leaves(request, indices, hits);
      Map<String, Object> params = reason == null ? params(request) : null;
      if (params == null) {
        counters.left(reason == null ? Left.PARAMS : reason);
        listener.onResponse(answer);
        return;
      }
      ClauseOptions clause = shared(options.clause().with(params), request);
      RankedHits ranked = new RankedHits(clause, hits, options.windowSize());
      SearchRequest search = ranked.search(request, (o, standing) -> rescore.clause(o, standing));
      RunningSearch running = RunningSearch.current(client.threadPool().getThreadContext());
      if (running != null) {
        search.setParentTask(running.task());
      }
      counters.ranked();
      client.search(
          search,
          ActionListener.wrap(
              values -> listener.onResponse(ranked.answer(answer, values)),
              failure -> failed(answer, failure, counters, listener)));
    } catch (RuntimeException e) {
      failed(answer, e, counters, listener);
    }
  }

  /** The answer as it was, where the pipeline says so. */
  private void failed(
      SearchResponse answer,
      Exception failure,
      PipelineStats.Pipeline counters,
      ActionListener<SearchResponse> listener) {
    if (!isIgnoreFailure()) {
      listener.onFailure(failure);
      return;
    }
    counters.ignoredFailure();
    RescoreExt ext =
        RescoreExt.ignored(
            String.valueOf(OpenSearchException.guessRootCauses(failure)[0].getMessage()));
    listener.onResponse(
        SearchResponses.with(answer, answer.getHits(), ext, answer.getTook().millis()));
  }

  /** An alias shared by several models stands for the one that the search itself would get. */
  private static ClauseOptions shared(ClauseOptions clause, SearchRequest request) {
    if (clause.featureSet() != null) {
      return clause;
    }
    String own = request.source() == null ? null : RequestExt.shareKey(request.source());
    String key = own == null ? SearchKey.of(request.preference(), request.source()) : own;
    return clause.with(clause.names().sharedBy(key));
  }

  private @Nullable Map<String, Object> params(SearchRequest request) {
    SearchSourceBuilder source =
        request.source() == null ? new SearchSourceBuilder() : request.source();
    try (RequestBudget budget = rescore.loggedHits().budget()) {
      return options.params(source, budget);
    }
  }

  /** Why an answer is left alone, or null. */
  private @Nullable Left leaves(SearchRequest request, List<String> indices, List<SearchHit> hits) {
    if (RunningSearch.isLeftAlone(client.threadPool().getThreadContext())
        || request.source() != null && !Clauses.of(request.source()).isEmpty()) {
      return Left.CLAUSE;
    }
    if (hits.isEmpty()) {
      return Left.SIZE;
    }
    if (hits.stream().anyMatch(hit -> Float.isNaN(hit.getScore()))) {
      return Left.SORT;
    }
    return outsideTraffic(request, indices);
  }
}

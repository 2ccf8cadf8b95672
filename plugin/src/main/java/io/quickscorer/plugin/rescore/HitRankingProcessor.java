// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.PipelineStats;
import io.quickscorer.plugin.stats.PipelineStats.Left;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.NotSerializableExceptionWrapper;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.search.query.QueryPhase;

/**
 * A search pipeline's processor that ranks the hits of a response, such as those of a hybrid query.
 * An additional search on the hits' shards computes the model's scores; these scores are equal to
 * those of a search that contains the clause itself. Immutable.
 */
final class HitRankingProcessor extends ClauseProcessor implements SearchResponseProcessor {
  /** Start of a message by which other nodes report a {@link QueryPhase.TimeExceededException}. */
  private static final String TIME_EXCEEDED = "time_exceeded_exception";

  /** Maximum number of times that the additional search is repeated if shards reject it. */
  private static final int RESENT = 2;

  private final GuardedClient client;

  HitRankingProcessor(Parts parts, GuardedClient client) {
    super(parts);
    this.client = client;
  }

  @Override
  public SearchResponse processResponse(SearchRequest request, SearchResponse answer) {
    throw new UnsupportedOperationException(
        "processResponse would block; call processResponseAsync");
  }

  @Override
  public void processResponseAsync(
      SearchRequest request,
      SearchResponse answer,
      PipelineProcessingContext context,
      ActionListener<SearchResponse> listener) {
    RunningSearch.proceed(
        client.threadPool(), ActionRunnable.wrap(listener, l -> process(request, answer, l)));
  }

  private void process(
      SearchRequest request, SearchResponse answer, ActionListener<SearchResponse> listener) {
    List<String> indices = indices(request);
    RunningSearch running = RunningSearch.in(client.threadPool().getThreadContext());
    PipelineStats.Pipeline counters = counters(request, indices, running);
    try {
      if (running != null && running.isLeftAlone()) {
        counters.left(Left.CLAUSE);
        listener.onResponse(answer);
        return;
      }
      List<SearchHit> hits = List.of(answer.getHits().getHits());
      Left reason = leaves(request, answer, indices, hits);
      if (reason == Left.CROSS_CLUSTER) {
        counters.left(reason);
        listener.onResponse(answer);
        return;
      }
      Map<String, Object> params = reason == null ? params(request) : null;
      if (params == null) {
        leftAlone(answer, reason == null ? Left.PARAMS : reason, counters, listener);
        return;
      }
      ClauseOptions clause = shared(options.clause().with(params), request);
      RankedHits ranked = new RankedHits(clause, hits, options.windowSize());
      SearchRequest search = ranked.search(request, timeLeft(request, answer), rescore::clause);
      if (running != null) {
        running.rank();
        search.setParentTask(running.task());
      }
      // The processors after this one are called in the thread context of the search, not in that
      // of the additional search.
      ActionListener<SearchResponse> scoring =
          ActionListener.wrap(
              scored -> {
                if (scored.isTimedOut() || isTimeUp(scored.getShardFailures())) {
                  leftAlone(answer, Left.TIMEOUT, counters, listener);
                } else if (isIgnoreFailure() && scored.getFailedShards() > 0) {
                  failed(answer, SearchResponses.cause(scored), counters, listener);
                } else {
                  counters.ranked();
                  listener.onResponse(ranked.answer(answer, scored));
                }
              },
              Guard.recovery(
                  listener,
                  failure -> {
                    ShardSearchFailure[] shards =
                        failure instanceof SearchPhaseExecutionException phase
                            ? phase.shardFailures()
                            : ShardSearchFailure.EMPTY_ARRAY;
                    if (isTimeUp(shards)) {
                      leftAlone(answer, Left.TIMEOUT, counters, listener);
                    } else if (!isIgnoreFailure() && isPartial(search, indices, shards)) {
                      counters.ranked();
                      listener.onResponse(ranked.without(answer, shards));
                    } else {
                      failed(answer, failure, counters, listener);
                    }
                  }));
      send(
          search,
          RESENT,
          ContextPreservingActionListener.wrapPreservingContext(
              scoring, client.threadPool().getThreadContext()));
    } catch (RuntimeException e) {
      failed(answer, e, counters, listener);
    }
  }

  /**
   * Sends the additional search that computes the scores.
   *
   * @param resent the maximum number of repetitions if shards reject the search because their
   *     queues are full
   */
  private void send(SearchRequest search, int resent, ActionListener<SearchResponse> listener) {
    client.search(
        search,
        ActionListener.wrap(
            scored -> {
              if (resent > 0 && isRejected(scored)) {
                send(search, resent - 1, listener);
              } else {
                listener.onResponse(scored);
              }
            },
            listener::onFailure));
  }

  private static boolean isRejected(SearchResponse scored) {
    return Arrays.stream(scored.getShardFailures())
        .anyMatch(
            failure ->
                ExceptionsHelper.unwrap(
                        failure.getCause(), OpenSearchRejectedExecutionException.class)
                    != null);
  }

  /** Returns the time that is left until the search's timeout; null if it has no timeout. */
  private static @Nullable TimeValue timeLeft(SearchRequest request, SearchResponse answer) {
    TimeValue timeout = request.source() == null ? null : request.source().timeout();
    return timeout == null || timeout.millis() < 0
        ? null
        : TimeValue.timeValueMillis(Math.max(0, timeout.millis() - answer.getTook().millis()));
  }

  /**
   * Returns whether any failure means that a shard had found no hit when its time ended. A shard
   * with hits returns them, and does not fail.
   */
  private static boolean isTimeUp(ShardSearchFailure[] failures) {
    return Arrays.stream(failures)
        .anyMatch(
            failure ->
                ExceptionsHelper.unwrapCausesAndSuppressed(
                        failure.getCause(),
                        cause ->
                            cause instanceof QueryPhase.TimeExceededException
                                || cause instanceof NotSerializableExceptionWrapper
                                    && String.valueOf(cause.getMessage()).startsWith(TIME_EXCEEDED))
                    .isPresent());
  }

  private static void leftAlone(
      SearchResponse answer,
      Left reason,
      PipelineStats.Pipeline counters,
      ActionListener<SearchResponse> listener) {
    counters.left(reason);
    listener.onResponse(SearchResponses.leftAlone(answer, reason));
  }

  /**
   * Returns whether hits may be ranked although shards failed: partial results are allowed, and at
   * least one of the searched indices has no failed shard.
   */
  private static boolean isPartial(
      SearchRequest search, List<String> indices, ShardSearchFailure[] failures) {
    Set<String> failed =
        Arrays.stream(failures).map(ShardSearchFailure::index).collect(Collectors.toSet());
    return failures.length > 0
        && !Boolean.FALSE.equals(search.allowPartialSearchResults())
        // For a search in a point in time, the indices are unknown here.
        && search.pointInTimeBuilder() == null
        && indices.stream().noneMatch(index -> index.contains("*"))
        && !failed.containsAll(indices);
  }

  /**
   * Passes a failure to the listener. If the search pipeline ignores failures, passes the unranked
   * response with the failure's message instead.
   */
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
    listener.onResponse(SearchResponses.ignored(answer, failure));
  }

  /**
   * Returns the clause with the search's share key (a text by which an alias selects one of its
   * models). The alias then selects the same model as if the search itself contained the clause.
   */
  private static ClauseOptions shared(ClauseOptions clause, SearchRequest request) {
    if (clause.featureSet() != null) {
      return clause;
    }
    String own = request.source() == null ? null : RequestExt.shareKey(request.source());
    String key = own == null ? RunningSearch.key(request) : own;
    return clause.with(clause.names().sharedBy(key));
  }

  private @Nullable Map<String, Object> params(SearchRequest request) {
    SearchSourceBuilder source = Clauses.source(request);
    try (RequestBudget budget = rescore.loggedHits().budget()) {
      return options.params(source, budget);
    }
  }

  /** Returns the reason why the processor does not rank a response; null if it does. */
  private @Nullable Left leaves(
      SearchRequest request, SearchResponse answer, List<String> indices, List<SearchHit> hits) {
    Left reason = Eligibility.ofHits(request, hits);
    if (answer.isTimedOut() && (reason == null || reason == Left.NO_HITS)) {
      return Left.TIMEOUT;
    }
    if (reason != null) {
      return reason;
    }
    TimeValue left = timeLeft(request, answer);
    return left != null && left.millis() == 0 ? Left.TIMEOUT : outsideTraffic(request, indices);
  }
}

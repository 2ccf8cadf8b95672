// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.ForeignVersion;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.clause.ScoreCombination;
import io.quickscorer.plugin.rescore.clause.SentHits;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.clause.TimeBudget;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.rescore.shard.CarriedHit;
import io.quickscorer.plugin.rescore.shard.GlobalRanking;
import io.quickscorer.plugin.rescore.shard.HitGroups;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.threadpool.ThreadPool;

/**
 * A search whose clauses record the models and features that they use. This class also completes
 * the search's response: it ranks the hits of all shards together if the last clause requests this,
 * and adds the recorded data.
 */
final class TracedSearch {
  private final SearchSourceBuilder source;
  private final List<EnsembleRescorerBuilder> clauses;
  private final RequestBudget budget;
  private final List<ClauseTrace> traces = new ArrayList<>();
  private final int from;
  private final int size;
  private final @Nullable HitGroups collapse;

  private TracedSearch(
      SearchSourceBuilder source, List<EnsembleRescorerBuilder> clauses, RequestBudget budget) {
    this.source = source;
    this.clauses = clauses;
    this.budget = budget;
    this.from = Math.max(0, source.from());
    this.size = Clauses.size(source);
    this.collapse = source.collapse() == null ? null : HitGroups.of(source.collapse());
  }

  /**
   * Creates a copy of a search whose clauses record the models and features that they use.
   *
   * @param budget the search's memory budget
   * @param others returns which processors of others the search has
   * @param key returns a text that is equal for all pages of the search
   */
  static TracedSearch of(
      SearchSourceBuilder source,
      RequestBudget budget,
      Supplier<OtherProcessors> others,
      Supplier<String> key) {
    List<?> rescorers = List.copyOf(source.rescores());
    TracedSearch traced = new TracedSearch(SearchBody.copy(source), Clauses.of(source), budget);
    EnsembleRescorerBuilder global = traced.global();
    if (global != null && traced.size > 0) {
      // The page is cut from the ranking over all shards later, so the shards return all hits that
      // this ranking needs.
      traced.source.from(0).size(Clauses.collectedGlobally(source, global));
    }
    if (traced.collapse != null) {
      // The coordinating node builds the groups after the ranking. A collapsed hit must contain its
      // group's value, so the field is requested as a doc value.
      traced.source.collapse(null);
      if (traced.source.docValueFields() == null
          || traced.source.docValueFields().stream()
              .noneMatch(shown -> shown.field.equals(traced.collapse.field()))) {
        traced.source.docValueField(traced.collapse.field());
      }
    }
    SentHits sent = global == null ? SentHits.ALL : traced.sent(source, global, others.get());
    int collected = Clauses.collected(traced.source);
    AtomicReference<ModelLookup.Names> names =
        Objects.requireNonNullElseGet(traced.clauses.getFirst().names(), AtomicReference::new);
    traced.source.clearRescorers();
    for (Object rescorer : rescorers) {
      if (rescorer instanceof EnsembleRescorerBuilder clause) {
        ClauseTrace trace = new ClauseTrace(budget, key);
        traced.traces.add(trace);
        traced.source.addRescorer(
            clause.traced(
                trace, collected, names, clause.options().isGlobal() ? sent : SentHits.ALL));
      } else {
        traced.source.addRescorer((RescorerBuilder<?>) rescorer);
      }
    }
    return traced;
  }

  private SentHits sent(
      SearchSourceBuilder asked, EnsembleRescorerBuilder global, OtherProcessors others) {
    return new SentHits(
        collapse == null ? null : collapse.field(),
        others.readHits() ? 0 : ShownPage.hits(asked, global),
        others.moveHits());
  }

  SearchSourceBuilder source() {
    return source;
  }

  /**
   * Tells the shards that a search in a point in time has ended, so that they release its feature
   * values. Other searches need no message.
   *
   * @param release sends the message; its argument is the random text (nonce) of one clause
   */
  void release(Consumer<String> release) {
    if (source.pointInTimeBuilder() == null) {
      return;
    }
    for (ClauseTrace trace : traces) {
      ClauseTrace.Binding binding = trace.binding();
      if (binding != null && binding.clause().nonce() != null) {
        release.accept(binding.clause().nonce());
      }
    }
  }

  /** Returns the clause that ranks the hits of all shards together; null if there is none. */
  private @Nullable EnsembleRescorerBuilder global() {
    return clauses.getLast().options().isGlobal() ? clauses.getLast() : null;
  }

  /**
   * Completes the response of the search, and passes it to the listener.
   *
   * @param firstPass the search without its last clause
   */
  void answered(
      SearchResponse answer,
      SearchRequest firstPass,
      RunningSearch running,
      ActionListener<SearchResponse> listener) {
    OpenSearchException foreign = foreignVersion(answer);
    if (foreign != null) {
      listener.onFailure(foreign);
      return;
    }
    RescoreExt ext = RescoreExt.of(clauses, traces);
    TimeBudget time = clauses.getLast().options().budget();
    if (time != null && isUp(answer)) {
      timeIsUp(time, answer, ext, firstPass, running, listener);
      return;
    }
    EnsembleRescorerBuilder global = global();
    if (global == null) {
      listener.onResponse(shown(answer, answer.getHits(), ext, answer.getTook().millis()));
      return;
    }
    ClauseTrace.Binding binding = traces.getLast().binding();
    if (binding == null) {
      throw new IllegalStateException(
          "internal error: the search's clause has no model version; report this as a bug");
    }
    BoundClause bound = binding.clause();
    checkCollapse(
        answer,
        bound,
        firstPass,
        running,
        ActionListener.wrap(
            checked -> rank(answer, global, bound, ext, running, listener), listener::onFailure));
  }

  private void checkCollapse(
      SearchResponse answer,
      BoundClause bound,
      SearchRequest firstPass,
      RunningSearch running,
      ActionListener<Void> listener) {
    if (collapse == null) {
      listener.onResponse(null);
      return;
    }
    try (ThreadContext.StoredContext ignored = running.context()) {
      String sent = CarriedHit.field(Objects.requireNonNull(bound.nonce()));
      collapse.checkMapped(running.client(), firstPass, answer.getHits(), sent, listener);
    }
  }

  /**
   * Ranks the hits of all shards together: waits until the models are loaded, then continues on a
   * search thread.
   *
   * @param global the clause that ranks the hits
   * @param bound the clause with the used versions of models
   */
  private void rank(
      SearchResponse answer,
      EnsembleRescorerBuilder global,
      BoundClause bound,
      RescoreExt ext,
      RunningSearch running,
      ActionListener<SearchResponse> listener) {
    long start = System.nanoTime();
    GlobalRanking ranking =
        new GlobalRanking(
            global.services(),
            global.options(),
            bound,
            clauses.size() - 1,
            Clauses.window(global),
            collapse,
            budget,
            running.cancellation());
    global.load(
        bound,
        running.client(),
        ActionListener.wrap(
            loaded ->
                Guard.executor(running.client().threadPool(), ThreadPool.Names.SEARCH)
                    .execute(
                        ActionRunnable.supply(
                            listener,
                            () -> {
                              GlobalRanking.Page page =
                                  ranking.rank(ranked(global, answer.getHits()), from, size);
                              long nanos = System.nanoTime() - start;
                              return shown(
                                  answer,
                                  page.hits(),
                                  described(page, ext),
                                  answer.getTook().millis() + nanos / 1_000_000);
                            })),
            listener::onFailure));
  }

  /**
   * Returns the hits of a response. If the clause ranks the hits of another search, leaves out
   * documents that only have the id of one of these hits.
   */
  private static SearchHits ranked(EnsembleRescorerBuilder global, SearchHits hits) {
    if (!global.isStanding()) {
      return hits;
    }
    SearchHit[] found =
        Arrays.stream(hits.getHits())
            .filter(hit -> hit.getScore() != StandingHits.NOT_A_HIT)
            .toArray(SearchHit[]::new);
    return new SearchHits(found, hits.getTotalHits(), hits.getMaxScore());
  }

  /**
   * Returns whether a clause ran out of time on some shard, as shown by the scores or by the mark
   * "terminated early". The mark is ignored if the server may have set it for another reason.
   */
  private boolean isUp(SearchResponse answer) {
    boolean marked =
        size > 0
            && source.terminateAfter() == SearchContext.DEFAULT_TERMINATE_AFTER
            && Boolean.TRUE.equals(answer.isTerminatedEarly());
    return marked
        || answer.getHits().getMaxScore() == ScoreCombination.TIME_IS_UP
        || SearchResponses.bucketHits(answer).stream()
            .flatMap(bucket -> Arrays.stream(bucket.getHits()))
            .anyMatch(hit -> hit.getScore() == ScoreCombination.TIME_IS_UP);
  }

  private SearchResponse shown(SearchResponse answer, SearchHits hits, RescoreExt ext, long took) {
    for (SearchHits bucket : SearchResponses.bucketHits(answer)) {
      show(bucket);
    }
    show(hits);
    return SearchResponses.with(answer, hits, ext, took);
  }

  private void show(SearchHits hits) {
    budget.charge(ShownHits.textBytes(hits), "<quickscorer response>");
    ShownHits.write(hits);
  }

  private RescoreExt described(GlobalRanking.Page page, RescoreExt ext) {
    return clauses.getLast().options().rules().cuts()
        ? ext.cut(page.belowScore(), page.beyondRank())
        : ext;
  }

  private static void timeIsUp(
      TimeBudget time,
      SearchResponse answer,
      RescoreExt ext,
      SearchRequest firstPass,
      RunningSearch running,
      ActionListener<SearchResponse> listener) {
    if (time.error()) {
      listener.onFailure(spent(time));
      return;
    }
    long took = answer.getTook().millis();
    running.search(
        Clauses.copy(firstPass),
        ActionListener.wrap(
            first ->
                listener.onResponse(
                    SearchResponses.with(
                        first, first.getHits(), ext.fallenBack(), took + first.getTook().millis())),
            listener::onFailure));
  }

  /**
   * Returns the failure of a shard that lacks the version of a model; null if there is none. Such a
   * failure makes the whole search fail, because the response would lack the shard's hits.
   */
  private static @Nullable OpenSearchException foreignVersion(SearchResponse answer) {
    for (ShardSearchFailure failure : answer.getShardFailures()) {
      OpenSearchException foreign = ForeignVersion.among(failure.getCause());
      if (foreign != null) {
        return foreign;
      }
    }
    return null;
  }

  private static OpenSearchException spent(TimeBudget budget) {
    return new OpenSearchStatusException(
        "[{}] rescoring took longer than [budget_ms] {} on at least one shard",
        RestStatus.GATEWAY_TIMEOUT,
        EnsembleRescorerBuilder.NAME,
        budget.millis());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchType;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.common.document.DocumentField;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.query.IdsQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.transport.RemoteClusterAware;

/**
 * Ranks the hits of a response by a model: creates an additional search, which computes their
 * scores, and applies the scores to the response.
 */
final class RankedHits {
  /** The name that makes a search run without a search pipeline, as the additional search must. */
  private static final String NO_PIPELINE = "_none";

  private static final String SHARDS = "_shards:";

  private final ClauseOptions clause;
  private final List<SearchHit> hits;
  private final List<SearchHit> window;

  /**
   * Prepares to rank the hits of a response.
   *
   * @param hits the hits in their current order, with their shards; only {@link #answer} changes
   *     them
   * @param windowSize the number of hits, from the first, that the model ranks
   */
  RankedHits(ClauseOptions clause, List<SearchHit> hits, int windowSize) {
    this.clause = clause;
    this.hits = hits;
    this.window = hits.subList(0, Math.min(windowSize, hits.size()));
  }

  /**
   * Returns the additional search. It finds the hits of the window by their ids, and the model
   * scores them on their shards.
   *
   * @param timeout the timeout of the additional search; null for none
   * @param rescorer creates a clause that ranks only the hits in its second argument
   */
  SearchRequest search(
      SearchRequest request,
      @Nullable TimeValue timeout,
      BiFunction<ClauseOptions, StandingHits, RescorerBuilder<?>> rescorer) {
    SearchSourceBuilder asked = Clauses.source(request);
    SearchSourceBuilder source =
        DerivedFields.of(asked)
            .query(QueryBuilders.constantScoreQuery(ids()))
            .size(window.size())
            .fetchSource(false)
            .explain(asked.explain())
            .timeout(timeout)
            .addRescorer(rescorer.apply(clause, StandingHits.of(window)).windowSize(window.size()));
    SearchRequest search =
        new SearchRequest().source(source).searchType(request.searchType()).pipeline(NO_PIPELINE);
    if (request.allowPartialSearchResults() != null) {
      search.allowPartialSearchResults(request.allowPartialSearchResults());
    }
    search.setMaxConcurrentShardRequests(request.getMaxConcurrentShardRequests());
    search.setCcsMinimizeRoundtrips(request.isCcsMinimizeRoundtrips());
    if (asked.pointInTimeBuilder() != null) {
      source.pointInTimeBuilder(asked.pointInTimeBuilder());
      return search;
    }
    if (request.searchType() == SearchType.DFS_QUERY_THEN_FETCH) {
      // The search uses the same shards as the original one, because the term statistics come from
      // all of its shards.
      return search
          .indices(request.indices())
          .indicesOptions(request.indicesOptions())
          .routing(request.routing())
          .preference(request.preference());
    }
    return search
        .indicesOptions(request.indicesOptions())
        .indices(window.stream().map(RankedHits::index).distinct().toArray(String[]::new))
        .preference(preference(request.preference()));
  }

  /**
   * Returns the {@code preference} of the additional search, the parameter that selects shards and
   * copies. It selects only the hits' shards. If the user's preference is a free text, it is
   * returned unchanged, because the server cannot combine it with a list of shards.
   */
  private @Nullable String preference(@Nullable String asked) {
    if (asked != null && !asked.startsWith("_")) {
      return asked;
    }
    TreeSet<Integer> shards = new TreeSet<>();
    window.forEach(hit -> shards.add(hit.getShard().getShardId().id()));
    String only = SHARDS + shards.stream().map(String::valueOf).collect(Collectors.joining(","));
    if (asked == null) {
      return only;
    }
    if (asked.startsWith(SHARDS)) {
      int rest = asked.indexOf('|');
      return rest < 0 ? only : only + asked.substring(rest);
    }
    return only + "|" + asked;
  }

  private static String index(SearchHit hit) {
    return RemoteClusterAware.buildRemoteIndexName(hit.getClusterAlias(), hit.getIndex());
  }

  /**
   * Returns a query that finds, by their ids, the hits to rank. Documents of other indices may have
   * equal ids; the clause ignores these documents.
   */
  private IdsQueryBuilder ids() {
    return QueryBuilders.idsQuery()
        .addIds(window.stream().map(SearchHit::getId).distinct().toArray(String[]::new));
  }

  /**
   * Returns the response with its hits in the order of their new scores, without the hits of shards
   * on which the additional search failed.
   *
   * @param scored the response of the additional search
   */
  SearchResponse answer(SearchResponse answer, SearchResponse scored) {
    List<ShardSearchFailure> failures = ofWindow(scored.getShardFailures());
    long took = answer.getTook().millis() + scored.getTook().millis();
    RescoreExt ext = SearchResponses.ext(scored);
    if (ext != null && ext.hasFallenBack()) {
      return SearchResponses.with(answer, answer.getHits(), ext, took);
    }
    List<SearchHit> ranked = ranked(scored, failures);
    Integer max = clause.rules().maxRank();
    int size = Math.min(ranked.size(), max == null ? Integer.MAX_VALUE : max);
    SearchHit[] page = ranked.subList(0, size).toArray(SearchHit[]::new);
    float best =
        clause.featureSet() != null
            ? answer.getHits().getMaxScore()
            : page.length == 0 ? Float.NaN : page[0].getScore();
    return SearchResponses.with(
        answer, hits(answer, page, best), ext, took, answer.isTimedOut(), failures);
  }

  /**
   * Returns the response without the hits of the shards on which the additional search failed. The
   * order of the other hits is unchanged. Used if the additional search failed on all shards that
   * have hits to rank.
   *
   * @param all the failures of the additional search
   */
  SearchResponse without(SearchResponse answer, ShardSearchFailure[] all) {
    List<ShardSearchFailure> failures = ofWindow(all);
    Set<String> failed = shards(failures);
    SearchHit[] page =
        hits.stream().filter(hit -> !failed.contains(shard(hit))).toArray(SearchHit[]::new);
    SearchHits left = hits(answer, page, answer.getHits().getMaxScore());
    return SearchResponses.with(
        answer, left, null, answer.getTook().millis(), answer.isTimedOut(), failures);
  }

  private static SearchHits hits(SearchResponse answer, SearchHit[] page, float best) {
    return new SearchHits(page, answer.getHits().getTotalHits(), best);
  }

  /** Returns the failures of those shards that have hits to rank. */
  private List<ShardSearchFailure> ofWindow(ShardSearchFailure[] failures) {
    Set<String> shards = window.stream().map(RankedHits::shard).collect(Collectors.toSet());
    return Arrays.stream(failures).filter(failure -> shards.contains(shard(failure))).toList();
  }

  private static Set<String> shards(List<ShardSearchFailure> failures) {
    return failures.stream().map(RankedHits::shard).collect(Collectors.toSet());
  }

  private static String shard(ShardSearchFailure failure) {
    return failure.index() + "/" + failure.shardId();
  }

  private static String shard(SearchHit hit) {
    return index(hit) + "/" + hit.getShard().getShardId().id();
  }

  private static Map<String, SearchHit> byKey(SearchResponse scored) {
    Map<String, SearchHit> byKey = new HashMap<>();
    for (SearchHit hit : scored.getHits().getHits()) {
      byKey.put(StandingHits.key(hit), hit);
    }
    return byKey;
  }

  private static void show(SearchHit hit, @Nullable SearchHit scored) {
    DocumentField shown = scored == null ? null : scored.field(ShownHits.FIELD);
    if (shown != null) {
      hit.setDocumentField(ShownHits.FIELD, shown);
    }
  }

  /**
   * Returns the hits sorted by their new scores; unsorted if the clause only logs features. If the
   * additional search did not find a hit to rank, the hit was deleted meanwhile, or removed by the
   * clause's rules.
   */
  private List<SearchHit> ranked(SearchResponse scored, List<ShardSearchFailure> failures) {
    boolean ranks = clause.featureSet() == null;
    String model = ranks ? clause.allNames().iterator().next() : "";
    Set<String> failed = shards(failures);
    Map<String, SearchHit> byKey = byKey(scored);
    List<SearchHit> kept = new ArrayList<>();
    for (int i = 0; i < hits.size(); i++) {
      SearchHit hit = hits.get(i);
      SearchHit found = byKey.get(StandingHits.key(hit));
      if (failed.contains(shard(hit))) {
        continue;
      }
      if (found != null) {
        show(hit, found);
      }
      if (!ranks) {
        kept.add(hit);
      } else if (found != null) {
        hit.score(found.getScore());
        if (found.getExplanation() != null) {
          hit.explanation(Objects.requireNonNull(found.getExplanation()));
        }
        kept.add(hit);
      } else if (i >= window.size() || !clause.rules().cuts()) {
        keepUnranked(hit, i < window.size() ? null : model, kept);
      }
    }
    if (ranks) {
      kept.sort(Comparator.comparingDouble(hit -> -hit.getScore()));
    }
    return kept;
  }

  /**
   * Keeps a hit that the model did not rank.
   *
   * @param model the model's name if the hit is beyond the window, for its explanation; null if the
   *     hit was deleted meanwhile
   */
  private void keepUnranked(SearchHit hit, @Nullable String model, List<SearchHit> kept) {
    if (clause.outsideWindow() != OutsideWindow.DROP) {
      Explanation source = hit.getExplanation();
      if (source != null && model != null) {
        hit.explanation(clause.outsideWindow().explain(model, hit.getScore(), 0, source));
      }
      hit.score(clause.outsideWindow().score(hit.getScore()));
      kept.add(hit);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.pipeline;

import io.quickscorer.plugin.rescore.answer.RescoreExt;
import io.quickscorer.plugin.rescore.answer.SearchResponses;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchType;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.IdsQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.transport.RemoteClusterAware;

/**
 * The hits of an answer that are ranked again: the search for their scores, and what it changes.
 */
final class RankedHits {
  /** The name of no pipeline: what this searches for is ranked already. */
  private static final String NO_PIPELINE = "_none";

  private static final String SHARDS = "_shards:";

  private final ClauseOptions clause;
  private final List<SearchHit> hits;
  private final List<SearchHit> window;

  /**
   * @param hits as they stand, with their shards and scores; not changed before the answer
   */
  RankedHits(ClauseOptions clause, List<SearchHit> hits, int windowSize) {
    this.clause = clause;
    this.hits = hits;
    this.window = hits.subList(0, Math.min(windowSize, hits.size()));
  }

  /**
   * A search that finds the window's hits on their shards, and ranks them.
   *
   * @param rescorer makes a clause for hits that stand already, as large as its window
   */
  SearchRequest search(
      SearchRequest request, BiFunction<ClauseOptions, StandingHits, RescorerBuilder<?>> rescorer) {
    SearchSourceBuilder source =
        new SearchSourceBuilder()
            .query(QueryBuilders.constantScoreQuery(query()))
            .size(window.size())
            .fetchSource(false)
            .addRescorer(rescorer.apply(clause, StandingHits.of(window)).windowSize(window.size()));
    SearchSourceBuilder asked = request.source();
    if (asked != null) {
      source.explain(asked.explain()).timeout(asked.timeout());
    }
    SearchRequest search =
        new SearchRequest().source(source).searchType(request.searchType()).pipeline(NO_PIPELINE);
    if (asked != null && asked.pointInTimeBuilder() != null) {
      source.pointInTimeBuilder(asked.pointInTimeBuilder());
      return search;
    }
    if (request.searchType() == SearchType.DFS_QUERY_THEN_FETCH) {
      // The statistics are those of all shards of the search.
      return search
          .indices(request.indices())
          .indicesOptions(request.indicesOptions())
          .routing(request.routing())
          .preference(request.preference());
    }
    return search
        .indices(window.stream().map(RankedHits::index).distinct().toArray(String[]::new))
        .preference(preference(request.preference()));
  }

  /**
   * The hits' shards alone, as far as that can be said: beside shards the server takes its own
   * preferences, which begin with an underscore, and no user's.
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

  private BoolQueryBuilder query() {
    Map<String, IdsQueryBuilder> ids = new LinkedHashMap<>();
    for (SearchHit hit : window) {
      ids.computeIfAbsent(index(hit), name -> QueryBuilders.idsQuery()).addIds(hit.getId());
    }
    BoolQueryBuilder any = QueryBuilders.boolQuery();
    ids.forEach(
        (index, query) ->
            any.should(
                QueryBuilders.boolQuery()
                    .filter(QueryBuilders.termQuery("_index", index))
                    .filter(query)));
    return any;
  }

  /**
   * The answer with its hits in order.
   *
   * @param scored the answer of {@link #search}
   * @throws OpenSearchException if some shard did not answer, or not in time
   */
  SearchResponse answer(SearchResponse answer, SearchResponse scored) {
    if (scored.getFailedShards() > 0) {
      throw new OpenSearchException(
          "hits can't be ranked: " + scored.getShardFailures()[0].reason(),
          scored.getShardFailures()[0].getCause());
    }
    if (scored.isTimedOut()) {
      throw new OpenSearchException("hits can't be ranked: the search for their scores timed out");
    }
    long took = answer.getTook().millis() + scored.getTook().millis();
    RescoreExt ext = SearchResponses.ext(scored);
    if (ext != null && ext.hasFallenBack() || clause.featureSet() != null && show(scored)) {
      return SearchResponses.with(answer, answer.getHits(), ext, took);
    }
    List<SearchHit> ranked = ranked(scored);
    Integer most = clause.rules().maxRank();
    int size = Math.min(ranked.size(), most == null ? Integer.MAX_VALUE : most);
    SearchHit[] page = ranked.subList(0, size).toArray(SearchHit[]::new);
    float best = page.length == 0 ? Float.NaN : page[0].getScore();
    return SearchResponses.with(
        answer, new SearchHits(page, answer.getHits().getTotalHits(), best), ext, took);
  }

  private static Map<String, SearchHit> byKey(SearchResponse scored) {
    Map<String, SearchHit> byKey = new HashMap<>();
    for (SearchHit hit : scored.getHits().getHits()) {
      byKey.put(StandingHits.key(hit), hit);
    }
    return byKey;
  }

  /** Has hits that keep their order show what was found of them. */
  private boolean show(SearchResponse scored) {
    Map<String, SearchHit> byKey = byKey(scored);
    window.forEach(hit -> show(hit, byKey.get(StandingHits.key(hit))));
    return true;
  }

  private static void show(SearchHit hit, @Nullable SearchHit scored) {
    DocumentField shown = scored == null ? null : scored.field(ShownHits.FIELD);
    if (shown != null) {
      hit.setDocumentField(ShownHits.FIELD, shown);
    }
  }

  /**
   * All hits by their new scores; those of one score keep their order. A hit of the window that is
   * not found any more was cut by the clause's rules, or where there are none, deleted meanwhile.
   */
  private List<SearchHit> ranked(SearchResponse scored) {
    Map<String, SearchHit> byKey = byKey(scored);
    List<SearchHit> kept = new ArrayList<>();
    for (SearchHit hit : window) {
      SearchHit found = byKey.get(StandingHits.key(hit));
      if (found != null) {
        hit.score(found.getScore());
        show(hit, found);
        if (found.getExplanation() != null) {
          hit.explanation(Objects.requireNonNull(found.getExplanation()));
        }
        kept.add(hit);
      } else if (!clause.rules().cuts()) {
        keepUnranked(hit, kept);
      }
    }
    hits.subList(window.size(), hits.size()).forEach(hit -> keepUnranked(hit, kept));
    kept.sort(Comparator.comparingDouble(hit -> -hit.getScore()));
    return kept;
  }

  private void keepUnranked(SearchHit hit, List<SearchHit> kept) {
    if (clause.outsideWindow() != OutsideWindow.DROP) {
      hit.score(clause.outsideWindow().score(hit.getScore()));
      kept.add(hit);
    }
  }
}

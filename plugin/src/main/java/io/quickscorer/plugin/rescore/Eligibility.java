// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.PipelineStats.Left;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchService;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.ScoreSortBuilder;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.search.sort.SortOrder;

/**
 * Decides which searches are ranked. Both processors follow the rules for a clause: a search is
 * left alone if the server would reject it with a rescorer. Stateless.
 */
final class Eligibility {
  private Eligibility() {}

  /**
   * Returns why a clause can't be added to a search.
   *
   * @return null if it can
   */
  static @Nullable Left ofSearch(SearchRequest request, ClauseOptions clause) {
    SearchSourceBuilder source = source(request);
    Left common = common(request, source);
    if (common != null) {
      return common;
    }
    boolean interleaves = clause.names().seed() != null;
    if (source.collapse() != null && (!clause.isGlobal() || interleaves)) {
      return Left.COLLAPSE;
    }
    return interleaves && source.storedFields() != null && !source.storedFields().fetchFields()
        ? Left.STORED_FIELDS
        : null;
  }

  /**
   * Returns why the hits of a response can't be ranked. The hits are searched again by their ids.
   * Collapsed hits are ranked without another search for their groups.
   *
   * @return null if they can
   */
  static @Nullable Left ofHits(SearchRequest request, List<SearchHit> hits) {
    Left common = common(request, source(request));
    if (common != null) {
      return common;
    }
    if (hits.isEmpty()) {
      return Left.NO_HITS;
    }
    if (hits.stream().anyMatch(hit -> hit.getId() == null)) {
      return Left.STORED_FIELDS;
    }
    return hits.stream().anyMatch(hit -> Float.isNaN(hit.getScore())) ? Left.SORT : null;
  }

  private static SearchSourceBuilder source(SearchRequest request) {
    return request.source() == null ? new SearchSourceBuilder() : request.source();
  }

  private static @Nullable Left common(SearchRequest request, SearchSourceBuilder source) {
    if (!Clauses.of(source).isEmpty()) {
      return Left.CLAUSE;
    }
    if ((source.size() < 0 ? SearchService.DEFAULT_SIZE : source.size()) == 0) {
      return Left.SIZE;
    }
    if (request.scroll() != null) {
      return Left.SCROLL;
    }
    if (!isByScore(source.sorts())) {
      return Left.SORT;
    }
    return source.searchAfter() != null ? Left.SEARCH_AFTER : null;
  }

  /**
   * Returns whether hits are sorted by score alone. The server treats a list of two as a sort, even
   * if both are {@code _score}.
   */
  private static boolean isByScore(@Nullable List<SortBuilder<?>> sorts) {
    return sorts == null
        || sorts.isEmpty()
        || sorts.size() == 1
            && sorts.getFirst() instanceof ScoreSortBuilder sort
            && sort.order() == SortOrder.DESC;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.PipelineStats.Left;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.ScoreSortBuilder;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.transport.RemoteClusterAware;

/**
 * Decides whether the processors of search pipelines may rank a search. For example, the server
 * rejects a rescorer in a search that is sorted by a field; such a search then runs without a
 * rescorer. Stateless.
 */
final class Eligibility {
  private Eligibility() {}

  /** Returns the reason why a clause can't be added to a search; null if it can. */
  static @Nullable Left ofSearch(SearchRequest request, ClauseOptions clause) {
    SearchSourceBuilder source = Clauses.source(request);
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
   * Returns the reason why the hits of a response can't be ranked; null if they can. Grouped
   * (collapsed) hits can, because an additional search finds them by their ids.
   */
  static @Nullable Left ofHits(SearchRequest request, List<SearchHit> hits) {
    Left common = common(request, Clauses.source(request));
    if (common != null) {
      return common;
    }
    if (hits.isEmpty()) {
      return Left.NO_HITS;
    }
    if (isPartOfOtherSearch(request, hits.getFirst())) {
      return Left.CROSS_CLUSTER;
    }
    if (hits.stream().anyMatch(hit -> hit.getId() == null)) {
      return Left.STORED_FIELDS;
    }
    return hits.stream().anyMatch(hit -> Float.isNaN(hit.getScore())) ? Left.SORT : null;
  }

  /**
   * Returns whether a search is a part of another cluster's search: its hits have the name by which
   * that cluster knows this one, although the search names no remote index. The other cluster
   * merges the hits with those of its own.
   */
  private static boolean isPartOfOtherSearch(SearchRequest request, SearchHit hit) {
    return hit.getClusterAlias() != null
        && Clauses.source(request).pointInTimeBuilder() == null
        && Arrays.stream(request.indices())
            .noneMatch(
                index -> index.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) >= 0);
  }

  private static @Nullable Left common(SearchRequest request, SearchSourceBuilder source) {
    if (!Clauses.of(source).isEmpty()) {
      return Left.CLAUSE;
    }
    if (Clauses.size(source) == 0) {
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
   * Returns whether hits are sorted only by their score. Returns false for a list of two sorts,
   * even if both are {@code _score}, because the server does not treat it as a sort by score.
   */
  private static boolean isByScore(@Nullable List<SortBuilder<?>> sorts) {
    return sorts == null
        || sorts.isEmpty()
        || sorts.size() == 1
            && sorts.getFirst() instanceof ScoreSortBuilder sort
            && sort.order() == SortOrder.DESC;
  }
}

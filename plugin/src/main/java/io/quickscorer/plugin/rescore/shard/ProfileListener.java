// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.ArrayList;
import java.util.List;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.profile.ProfileResult;
import org.opensearch.search.profile.ProfileShardResult;
import org.opensearch.search.profile.query.QueryProfileShardResult;

/**
 * Adds the times of clauses to the profile of a search, as entries next to its queries, because
 * OpenSearch's profile cannot contain rescorers.
 */
public final class ProfileListener implements SearchOperationListener {
  @Override
  public void onPreQueryPhase(SearchContext search) {
    if (search.getProfilers() != null) {
      clauses(search).forEach(EnsembleRescoreContext::startProfile);
    }
  }

  @Override
  public void onQueryPhase(SearchContext search, long tookInNanos) {
    addClauses(search);
  }

  /**
   * Adds the clauses again, because, if the search has one shard, the server replaces the profile
   * after the fetch phase.
   */
  @Override
  public void onFetchPhase(SearchContext search, long tookInNanos) {
    addClauses(search);
  }

  private static void addClauses(SearchContext search) {
    List<ProfileResult> ours = new ArrayList<>();
    for (EnsembleRescoreContext clause : clauses(search)) {
      ClauseProfile profile = clause.profile();
      if (profile != null) {
        ours.add(profile.result(clause));
      }
    }
    if (!ours.isEmpty() && search.queryResult().hasProfileResults()) {
      search.queryResult().profileResults(with(ours, search.queryResult().consumeProfileResult()));
    }
  }

  private static ProfileShardResult with(List<ProfileResult> ours, ProfileShardResult shard) {
    List<QueryProfileShardResult> searches = new ArrayList<>(shard.getQueryProfileResults());
    if (searches.isEmpty()) {
      return shard;
    }
    QueryProfileShardResult first = searches.getFirst();
    List<ProfileResult> queries = new ArrayList<>(first.getQueryResults());
    queries.addAll(ours);
    searches.set(
        0,
        new QueryProfileShardResult(queries, first.getRewriteTime(), first.getCollectorResult()));
    return new ProfileShardResult(
        searches,
        shard.getAggregationProfileResults(),
        shard.getFetchProfileResult(),
        shard.getNetworkTime());
  }

  private static List<EnsembleRescoreContext> clauses(SearchContext search) {
    return EnsembleRescoreContext.among(search.rescore());
  }
}

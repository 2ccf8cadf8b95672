// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import java.util.List;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * Begins and ends the phases of a shard's clauses. It releases their memory budgets with the search
 * context, reports to the coordinating node if a clause ran out of time, and adds their times to
 * the profile of a search.
 */
final class PhaseListener implements SearchOperationListener {
  @Override
  public void onPreQueryPhase(SearchContext search) {
    for (EnsembleRescoreContext clause : clauses(search)) {
      begin(search, clause, false);
      if (search.getProfilers() != null) {
        clause.startProfile();
      }
    }
  }

  /**
   * Marks the search as terminated early if a clause ran out of time. The scores also show this,
   * but a search pipeline may change them. The mark is left out if the search requests no hits or
   * uses {@code terminate_after}, because the server then ignores it.
   */
  @Override
  public void onQueryPhase(SearchContext search, long tookInNanos) {
    List<EnsembleRescoreContext> clauses = clauses(search);
    if (search.size() > 0
        && search.terminateAfter() == SearchContext.DEFAULT_TERMINATE_AFTER
        && clauses.stream().anyMatch(EnsembleRescoreContext::isSpent)) {
      search.queryResult().terminatedEarly(true);
    }
    EnsembleRescoreContext.addProfiles(search.queryResult(), clauses);
  }

  @Override
  public void onPreFetchPhase(SearchContext search) {
    clauses(search).forEach(clause -> begin(search, clause, true));
  }

  /**
   * Adds the profiles again, because, if the search has one shard, the server replaces the profile
   * after the fetch phase.
   */
  @Override
  public void onFetchPhase(SearchContext search, long tookInNanos) {
    EnsembleRescoreContext.addProfiles(search.queryResult(), clauses(search));
  }

  private static void begin(SearchContext search, EnsembleRescoreContext clause, boolean page) {
    clause.begin(search, page);
    search.addReleasable(clause.budget());
    clause.budget().resume();
  }

  private static List<EnsembleRescoreContext> clauses(SearchContext search) {
    return EnsembleRescoreContext.among(search.rescore());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import java.util.List;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * Prepares and completes the rescoring of one shard in the query phase and the fetch phase of a
 * search. It releases the memory budgets at the end, and adds the times to the search's profile. If
 * the time ran out, it reports this to the coordinating node.
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
   * Marks the search as "terminated early" if its rescoring ran out of time. The mark is needed
   * because a search pipeline may change the scores, which also show this. A search without hits or
   * with {@code terminate_after} gets no mark, because the server would ignore it.
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
   * Adds the profiles of the clauses again. If the search has one shard, the server replaces the
   * profile after the fetch phase, and so loses the profiles that were added before.
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
